// SPDX-License-Identifier: Apache-2.0
#include "cli/compiled_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backend/failure/top_frames.h"
#include "base/text.h"
#include "check/query/announce_phases.h"
#include "check/query/query.h"
#include "cli/child_streams.h"
#include "cli/repro_question.h"
#include "cli/verdict_table.h"
#include "cli/wrap.h"

namespace culprit::cli {
namespace {

using nlohmann::ordered_json;

constexpr size_t kFramesShown = 8;

/// Without parameters, which are long and say little.
std::string FrameText(const isolate::Frame& frame) {
  return frame.symbol.empty() ? frame.ToString() : backend::NormalizeSymbol(frame.symbol);
}

std::string FailureLine(const check::Finding& finding) {
  if (!finding.invalid.empty())
    return fmt::format("invalid: {}\n{}", finding.invalid, HelpLine(finding.help));
  std::string text = IgnoredLines(finding.ignored);
  if (finding.failure) {
    text += fmt::format("failure: {}\n", finding.failure->ToString());
    for (const backend::FailureSignature& also : finding.also)
      text += fmt::format("also: {}\n", also.ToString());
    return text + HelpLine(finding.help);
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
  if (!finding.invalid.empty()) object["invalid"] = finding.invalid;
  if (!finding.help.empty()) object["help"] = finding.help;
  return object;
}

std::string Dumped(const ordered_json& object) {
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

base::Result<CompiledRun> RunCompiled(const repro::Repro& repro, uint64_t sample) {
  CompiledRun run{.sample = sample};
  run.only_ran = repro.header.accuracy == repro::Accuracy::kOff;
  const CompilerOutput output;
  run.judgement = {.check = CULPRIT_TRY(check::RunQuery(repro, check::AnnouncePhases())),
                   .tolerance = repro.header.compare.tolerance,
                   .against = Against::kEager};
  run.finding = check::SignCheck(run.judgement.check, CULPRIT_TRY(check::IgnoredKinds(repro.header)));
  return run;
}

std::string CompiledRunAsText(const CompiledRun& run) {
  const compare::Verdict& verdict = run.judgement.check.verdict;
  std::string text;
  if (!verdict.outputs.empty() || !verdict.mismatches.empty()) text = VerdictAsTable(run.judgement);
  if (run.judgement.check.failure) text += Wrapped(PrintableLines(run.judgement.check.failure->message));
  if (run.sample > 0 && !run.finding.passes())
    text += fmt::format("with the inputs of sample {}\n", run.sample);
  if (run.only_ran && run.finding.passes())
    return text + "passes: it compiles and runs; nothing was compared\n";
  return text + Wrapped(FailureLine(run.finding));
}

std::string CompiledRunAsJson(const CompiledRun& run) {
  ordered_json object = FindingAsJson(run.finding);
  if (run.judgement.check.failure) object["message"] = run.judgement.check.failure->message;
  object["verdict"] = VerdictAsJson(run.judgement);
  return Dumped(object);
}

base::Result<check::Finding> FindingFromRunJson(const std::string& text) {
  check::Finding finding;
  const ordered_json object = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || !object.contains("passes"))
    return base::Diagnostic{{"culprit"}, "the file names no compiler, so there is nothing to ask"};
  if (object.contains("failure"))
    finding.failure = CULPRIT_TRY(backend::FailureSignature::FromJson(object.at("failure").dump()));
  if (object.contains("also")) {
    for (const ordered_json& also : object.at("also"))
      finding.also.push_back(CULPRIT_TRY(backend::FailureSignature::FromJson(also.dump())));
  }
  if (object.contains("ignored")) {
    for (const ordered_json& ignored : object.at("ignored"))
      finding.ignored.push_back(CULPRIT_TRY(backend::FailureSignature::FromJson(ignored.dump())));
  }
  finding.invalid = object.value("invalid", "");
  finding.help = object.value("help", "");
  if (object.contains("verdict")) object.at("verdict").at("warnings").get_to(finding.warnings);
  return finding;
}

std::string DeathAsText(const isolate::Outcome& outcome, const check::Finding& finding) {
  std::string text;
  if (!outcome.output.empty()) text += "it had printed:\n" + PrintableLines(outcome.output);
  if (const auto* signal = std::get_if<isolate::Signal>(&outcome.ending)) {
    for (size_t i = 0; i < std::min(signal->frames.size(), kFramesShown); ++i)
      text += fmt::format("  {:>2}  {}\n", i, FrameText(signal->frames[i]));
  }
  text += outcome.ToString() + "\n";
  return Wrapped(text + FailureLine(finding));
}

std::string DeathAsJson(const isolate::Outcome& outcome, const check::Finding& finding) {
  ordered_json object = FindingAsJson(finding);
  object["ending"] = outcome.ToString();
  if (const auto* signal = std::get_if<isolate::Signal>(&outcome.ending)) {
    object["frames"] = ordered_json::array();
    for (const isolate::Frame& frame : signal->frames) object["frames"].push_back(frame.ToString());
  }
  object["output"] = outcome.output;
  return Dumped(object);
}

}  // namespace culprit::cli
