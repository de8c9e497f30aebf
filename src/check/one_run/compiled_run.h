// SPDX-License-Identifier: Apache-2.0
//
// Does a compiler make of a graph what eager makes of it? What `culprit run` shows when a backend is named.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "check/one_run/judge_run.h"
#include "check/verdict/sign.h"
#include "repro/repro.h"

namespace culprit::check {

struct CompiledRun {
  Judgement judgement;
  Finding finding;
  /// Which set of inputs it was (check/query/sample_inputs.h).
  uint64_t sample = 0;
  /// Nothing was compared, only run.
  bool only_ran = false;
};

/// Compiles and compares in this process.
base::Result<CompiledRun> RunCompiled(const repro::Repro& repro, uint64_t sample);

}  // namespace culprit::check
