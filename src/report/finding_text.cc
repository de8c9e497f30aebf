// SPDX-License-Identifier: Apache-2.0
#include "report/finding_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/wrap.h"

namespace culprit::report {

using nlohmann::ordered_json;

std::string HelpLine(const std::string& help) {
  return help.empty() ? "" : fmt::format("help: {}\n", help);
}

std::string IgnoredLines(const std::vector<backend::FailureSignature>& ignored) {
  std::string text;
  for (const backend::FailureSignature& signature : ignored)
    text += fmt::format("ignored: {}\n", signature.ToString());
  return text;
}

std::string PythonLines(const check::Finding& finding) {
  std::string text;
  for (const std::string& frame : finding.python_frames) text += fmt::format("  in Python: {}\n", frame);
  return text;
}

std::string FindingAsText(const check::Finding& finding) {
  if (!finding.invalid.empty())
    return fmt::format("invalid: {}\n{}", finding.invalid, HelpLine(finding.help));
  std::string text = IgnoredLines(finding.ignored);
  if (finding.failure) {
    text += fmt::format("failure: {}\n", finding.failure->ToString());
    for (const backend::FailureSignature& also : finding.also)
      text += fmt::format("also: {}\n", also.ToString());
    return text + PythonLines(finding) + HelpLine(finding.help);
  }
  return text + fmt::format("passes: the compiled graph does what eager does{}\n",
                            finding.ignored.empty() ? "" : ", but for what is ignored");
}

ordered_json FindingAsJson(const check::Finding& finding) {
  ordered_json object = ordered_json::object();
  object["passes"] = finding.passes();
  if (finding.failure) {
    object["failure"] = ordered_json::parse(finding.failure->ToJson());
    object["signature"] = finding.failure->ToString();
  }
  for (const backend::FailureSignature& also : finding.also)
    object["also"].push_back(ordered_json::parse(also.ToJson()));
  for (const backend::FailureSignature& ignored : finding.ignored)
    object["ignored"].push_back(ordered_json::parse(ignored.ToJson()));
  if (!finding.python_frames.empty()) object["python_frames"] = finding.python_frames;
  if (!finding.invalid.empty()) object["invalid"] = finding.invalid;
  if (!finding.help.empty()) object["help"] = finding.help;
  return object;
}

std::string Dumped(const ordered_json& object) {
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
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
  ordered_json object{{"passes", !character.expectation && character.invalid.empty()},
                      {"failures", character.failures},
                      {"runs", character.queries}};
  if (!character.invalid.empty()) object["invalid"] = character.invalid;
  if (!character.help.empty()) object["help"] = character.help;
  if (character.expectation) {
    const backend::FailureSignature& signature = character.expectation->signature;
    object["failure"] = ordered_json::parse(signature.ToJson());
    object["signature"] = signature.ToString();
    object["repeats"] = character.expectation->repeats;
  }
  for (const backend::FailureSignature& other : character.others)
    object["others"].push_back(other.ToString());
  for (const backend::FailureSignature& ignored : character.ignored)
    object["ignored"].push_back(ignored.ToString());
  if (!character.expectation && !character.warnings.empty()) object["warnings"] = character.warnings;
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string ReplyAsText(const check::QuestionReply& reply) {
  const backend::QuestionVerdict& verdict = reply.verdict;
  std::string text(NameOf(verdict.answer));
  if (verdict.signature) text += ": " + verdict.signature->ToString();
  if (!verdict.reason.empty()) text += fmt::format("\n  {}", verdict.reason);
  return Wrapped(text + "\n" + PythonLines(reply.finding) + HelpLine(reply.finding.help));
}

std::string ReplyAsJson(const check::QuestionReply& reply) {
  const backend::QuestionVerdict& verdict = reply.verdict;
  ordered_json object{{"answer", NameOf(verdict.answer)}};
  if (verdict.signature) {
    object["failure"] = ordered_json::parse(verdict.signature->ToJson());
    object["signature"] = verdict.signature->ToString();
  }
  if (!verdict.reason.empty()) object["reason"] = verdict.reason;
  if (!reply.finding.help.empty()) object["help"] = reply.finding.help;
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace culprit::report
