// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/throw_failure.h"

#include <culprit/errors.h>
#include <fmt/format.h>

#include <algorithm>

namespace culprit::watch {
namespace {

std::string WithLines(const std::string& text, const Notice& report, bool is_watched) {
  return is_watched ? text + "\n" + report.Lines() : text;
}

/// ": outputs[0] differs by up to 0.5"; nothing if it is not the numbers that differ.
std::string WorstOf(const compare::Verdict& verdict) {
  const auto wrong = std::ranges::find(verdict.outputs, false, &compare::Output::passes);
  if (wrong == verdict.outputs.end()) return "";
  return fmt::format(": {} differs by up to {:.3g}", wrong->path, wrong->max_abs);
}

}  // namespace

void ThrowFailure(const std::string& backend, const check::RunFailure& failure, const Notice& report,
                  bool is_watched) {
  if (failure.phase == check::Phase::kCompile) {
    const std::string text = fmt::format("backend '{}' cannot compile {}: {}: {}", backend, report.graph,
                                         failure.type, failure.message);
    throw BackendCompilerFailed(WithLines(text, report, is_watched), report.graph, report.signature,
                                report.repro, failure.exception);
  }
  if (!is_watched) std::rethrow_exception(failure.exception);
  try {
    std::rethrow_exception(failure.exception);
  } catch (...) {
    RethrowWith(report);
  }
}

void ThrowInaccurate(const check::CheckResult& result, const Notice& report, bool is_watched) {
  const std::string text = fmt::format("{}: {}{}", report.graph, report.signature, WorstOf(result.verdict));
  throw AccuracyError(WithLines(text, report, is_watched), report.graph, report.signature, report.repro);
}

}  // namespace culprit::watch
