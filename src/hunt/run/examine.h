// SPDX-License-Identifier: Apache-2.0
//
// What a report says beside what the search has shown: how wrong the original and the repro are, and which
// switch of the compiler makes the repro pass. A few queries, within a few seconds.
#pragma once

#include "hunt/result/report.h"
#include "hunt/run/minify_repro.h"

namespace culprit::hunt {

/// Nothing is added where nobody can be asked: for a judge's failures, or when the user wants to stop.
void Examine(const MinifyRepro& job, Oracle& oracle, Listener& listener, Report& report);

}  // namespace culprit::hunt
