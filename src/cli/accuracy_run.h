// SPDX-License-Identifier: Apache-2.0
//
// Is what a graph computes near enough to what it would compute in float64? Forward, and backward where an
// output requires a gradient.
#pragma once

#include "base/result.h"
#include "compare/verdict.h"
#include "repro/repro.h"

namespace culprit::cli {

/// The reference of the verdict is the graph in float64, the result the graph as it is. An error says which
/// of the two could not be run, and why.
base::Result<compare::Verdict> CompareWithFp64(const repro::Repro& repro);

}  // namespace culprit::cli
