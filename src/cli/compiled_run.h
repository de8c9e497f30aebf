// SPDX-License-Identifier: Apache-2.0
//
// Does a compiler make of a graph what eager makes of it? What `culprit run` shows when a backend is named.
#pragma once

#include <optional>
#include <string>

#include "check/verdict/sign.h"
#include "cli/accuracy_run.h"
#include "isolate/query/outcome.h"
#include "repro/repro.h"

namespace culprit::cli {

struct CompiledRun {
  Judgement judgement;
  check::Finding finding;
  /// Which set of inputs it was (check/query/sample_inputs.h).
  uint64_t sample = 0;
  /// Nothing was compared, only run.
  bool only_ran = false;
};

/// Compiles and compares in this process.
base::Result<CompiledRun> RunCompiled(const repro::Repro& repro, uint64_t sample);

/// For people: the table, the warnings, and the failure in one line.
std::string CompiledRunAsText(const CompiledRun& run);
std::string CompiledRunAsJson(const CompiledRun& run);

/// What CompiledRunAsJson says, in another process.
base::Result<check::Finding> FindingFromRunJson(const std::string& text);

/// Of a child that died instead.
std::string DeathAsText(const isolate::Outcome& outcome, const check::Finding& finding);
std::string DeathAsJson(const isolate::Outcome& outcome, const check::Finding& finding);

}  // namespace culprit::cli
