// SPDX-License-Identifier: Apache-2.0
#include "cli/repro_question.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/isolated_command.h"

namespace culprit::cli {

base::Result<repro::Header> ReadHeaderInChild(const ScriptOptions& options) {
  std::vector<std::string> words = {"culprit", "graph", options.file, "--header"};
  if (options.which) words.insert(words.end(), {"--which", std::to_string(*options.which)});
  for (const std::string& library : options.libraries) words.insert(words.end(), {"--load-library", library});
  const ChildPrints prints = CULPRIT_TRY(RunWordsInChild(words));
  if (prints.status != 0) return base::Diagnostic{{options.shown_file()}, "cannot be read"};
  return CULPRIT_TRY(repro::HeaderFromJson(prints.out)).header;
}

base::Result<check::Expectation> ExpectationOf(const repro::Header& header, backend::MatchMode match) {
  if (header.expected.empty()) return check::Expectation{.match = backend::MatchMode::kAny};
  return check::Expectation{CULPRIT_TRY(backend::FailureSignature::FromJson(header.expected)), match};
}

std::string QueryVerdictAsText(const backend::QueryVerdict& verdict) {
  std::string text(NameOf(verdict.answer));
  if (verdict.signature) text += ": " + verdict.signature->ToString();
  if (!verdict.reason.empty()) text += fmt::format("\n  {}", verdict.reason);
  return text + "\n";
}

std::string QueryVerdictAsJson(const backend::QueryVerdict& verdict) {
  nlohmann::ordered_json object{{"answer", NameOf(verdict.answer)}};
  if (verdict.signature) {
    object["failure"] = nlohmann::ordered_json::parse(verdict.signature->ToJson());
    object["signature"] = verdict.signature->ToString();
  }
  if (!verdict.reason.empty()) object["reason"] = verdict.reason;
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace culprit::cli
