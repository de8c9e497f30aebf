// SPDX-License-Identifier: Apache-2.0
#include "cli/repro_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/wrap.h"

namespace culprit::cli {
namespace {

/// What a child said of the file, with all its notes.
base::Diagnostic ErrorOf(const ChildPrints& prints, const ScriptOptions& options) {
  constexpr std::string_view kError = ": error: ";
  base::Diagnostic error{{options.shown_file()}, "cannot be read"};
  error.cause = CauseOfStatus(prints.status);
  const size_t at = prints.err.find(kError);
  if (at == std::string::npos) return error;
  // Warnings may stand before it.
  const size_t begin = prints.err.rfind('\n', at) + 1;
  error.place.file = prints.err.substr(begin, at - begin);
  error.message = prints.err.substr(at + kError.size());
  while (error.message.ends_with('\n')) error.message.pop_back();
  return error;
}

}  // namespace

base::Result<repro::Header> ReadHeaderInChild(const ScriptOptions& options) {
  std::vector<std::string> words = {"culprit", "graph", options.file, "--header"};
  if (options.which) words.insert(words.end(), {"--which", std::to_string(*options.which)});
  for (const std::string& library : options.libraries) words.insert(words.end(), {"--load-library", library});
  const ChildPrints prints = CULPRIT_TRY(RunWordsInChild(words));
  if (prints.status != 0) return ErrorOf(prints, options);
  return CULPRIT_TRY(repro::HeaderFromJson(prints.out)).header;
}

base::Result<check::Expectation> ExpectationOf(const repro::Header& header, backend::MatchMode match) {
  if (header.expected.empty()) return check::Expectation{.match = backend::MatchMode::kAny};
  check::Expectation expected{CULPRIT_TRY(backend::FailureSignature::FromJson(header.expected)), match};
  if (const auto repeats = header.settings.find(repro::kRepeatsSetting); repeats != header.settings.end())
    expected.repeats = std::clamp(std::atoi(repeats->second.c_str()), 1, check::kMostRepeats);
  return expected;
}

std::string HelpLine(const std::string& help) {
  return help.empty() ? "" : fmt::format("help: {}\n", help);
}

std::string IgnoredLines(const std::vector<backend::FailureSignature>& ignored) {
  std::string text;
  for (const backend::FailureSignature& signature : ignored)
    text += fmt::format("ignored: {}\n", signature.ToString());
  return text;
}

std::string CharacterAsText(const check::Character& character) {
  if (!character.invalid.empty())
    return Wrapped(fmt::format("invalid: {}\n{}", character.invalid, HelpLine(character.help)));
  std::string text = IgnoredLines(character.ignored);
  if (!character.expectation) {
    for (const std::string& warning : character.warnings) text += fmt::format("note: {}\n", warning);
    return fmt::format("{}passes: in {}{}\n", text,
                       base::Counted(static_cast<size_t>(character.queries), "run"),
                       character.ignored.empty() ? "" : ", but for what is ignored");
  }
  text += fmt::format("failure: {}\n  seen in {} of {} runs", character.expectation->signature.ToString(),
                      character.failures, character.queries);
  if (character.is_flaky())
    text += fmt::format("; {} runs show it with a probability of 99 %", character.expectation->repeats);
  text += '\n';
  for (const backend::FailureSignature& other : character.others)
    text += fmt::format("  also met: {}\n", other.ToString());
  return Wrapped(text);
}

std::string CharacterAsJson(const check::Character& character) {
  nlohmann::ordered_json object{{"passes", !character.expectation && character.invalid.empty()},
                                {"failures", character.failures},
                                {"runs", character.queries}};
  if (!character.invalid.empty()) object["invalid"] = character.invalid;
  if (!character.help.empty()) object["help"] = character.help;
  if (character.expectation) {
    const backend::FailureSignature& signature = character.expectation->signature;
    object["failure"] = nlohmann::ordered_json::parse(signature.ToJson());
    object["signature"] = signature.ToString();
    object["repeats"] = character.expectation->repeats;
  }
  for (const backend::FailureSignature& other : character.others)
    object["others"].push_back(other.ToString());
  for (const backend::FailureSignature& ignored : character.ignored)
    object["ignored"].push_back(ignored.ToString());
  if (!character.expectation && !character.warnings.empty()) object["warnings"] = character.warnings;
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string ReplyAsText(const check::Reply& reply) {
  const backend::QueryVerdict& verdict = reply.verdict;
  std::string text(NameOf(verdict.answer));
  if (verdict.signature) text += ": " + verdict.signature->ToString();
  if (!verdict.reason.empty()) text += fmt::format("\n  {}", verdict.reason);
  return Wrapped(text + "\n" + HelpLine(reply.finding.help));
}

std::string ReplyAsJson(const check::Reply& reply) {
  const backend::QueryVerdict& verdict = reply.verdict;
  nlohmann::ordered_json object{{"answer", NameOf(verdict.answer)}};
  if (verdict.signature) {
    object["failure"] = nlohmann::ordered_json::parse(verdict.signature->ToJson());
    object["signature"] = verdict.signature->ToString();
  }
  if (!verdict.reason.empty()) object["reason"] = verdict.reason;
  if (!reply.finding.help.empty()) object["help"] = reply.finding.help;
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace culprit::cli
