// SPDX-License-Identifier: Apache-2.0
#include "report/run_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backend/failure/top_frames.h"
#include "base/printable_lines.h"
#include "report/finding_text.h"
#include "report/verdict_table.h"
#include "report/wrap.h"

namespace culprit::report {
namespace {

using nlohmann::ordered_json;

constexpr size_t kFramesShown = 8;

/// Without parameters, which are long and say little.
std::string FrameText(const isolate::StackFrame& frame) {
  return frame.symbol.empty() ? frame.ToString() : backend::NormalizeSymbol(frame.symbol);
}

}  // namespace

std::string CompiledRunAsText(const check::CompiledRun& run) {
  const compare::Verdict& verdict = run.judgement.check.verdict;
  std::string text;
  if (!verdict.outputs.empty() || !verdict.mismatches.empty()) text = VerdictAsTable(run.judgement);
  if (run.judgement.check.failure)
    text += Wrapped(base::PrintableLines(run.judgement.check.failure->message));
  if (run.sample > 0 && !run.finding.passes())
    text += fmt::format("with the inputs of sample {}\n", run.sample);
  if (run.only_ran && run.finding.passes())
    return text + "passes: it compiles and runs; nothing was compared\n";
  return text + Wrapped(FindingAsText(run.finding));
}

std::string CompiledRunAsJson(const check::CompiledRun& run) {
  ordered_json object = FindingAsJson(run.finding);
  if (run.judgement.check.failure) object["message"] = run.judgement.check.failure->message;
  object["verdict"] = VerdictAsJson(run.judgement);
  return Dumped(object);
}

std::string DeathAsText(const isolate::Outcome& outcome, const check::Finding& finding) {
  std::string text;
  if (!outcome.output.empty()) text += "it had printed:\n" + base::PrintableLines(outcome.output);
  if (const auto* signal = std::get_if<isolate::Signal>(&outcome.ending)) {
    for (size_t i = 0; i < std::min(signal->frames.size(), kFramesShown); ++i)
      text += fmt::format("  {:>2}  {}\n", i, FrameText(signal->frames[i]));
  }
  text += outcome.ToString() + "\n";
  return Wrapped(text + FindingAsText(finding));
}

std::string DeathAsJson(const isolate::Outcome& outcome, const check::Finding& finding) {
  ordered_json object = FindingAsJson(finding);
  object["ending"] = outcome.ToString();
  if (const auto* signal = std::get_if<isolate::Signal>(&outcome.ending)) {
    object["frames"] = ordered_json::array();
    for (const isolate::StackFrame& frame : signal->frames) object["frames"].push_back(frame.ToString());
  }
  object["output"] = outcome.output;
  return Dumped(object);
}

}  // namespace culprit::report
