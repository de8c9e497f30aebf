// SPDX-License-Identifier: Apache-2.0
//
// Whether a compiled program gives other results each time, as one does that reads memory before it has
// written it. It is called once more, with other contents in the memory that malloc hands out:
//
//   as before                            it does not vary
//   otherwise, but a whole new run       it does not vary from run to run: which call it is decides, as in a
//   is as the first was                  program that keeps something from call to call
//   otherwise                            it varies
#pragma once

#include <vector>

#include "check/run/run_model.h"
#include "compare/undefined_elements.h"
#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::check {

struct VaryingRun {
  const Model& model;
  const KeptModel& kept;
  const std::vector<c10::IValue>& inputs;
  RunOptions run;
  /// What the first run gave.
  const std::vector<Results>& calls;
};

/// Looks at the results that are off as the verdict says, and at no others. Models without state only.
bool Varies(const VaryingRun& varying, const compare::Verdict& verdict, const compare::Options& options,
            const compare::UndefinedElements& undefined);

}  // namespace culprit::check
