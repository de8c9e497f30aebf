// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "hunt/result/report.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

/// Writes what the compiler shows of its work on the repro into a folder `compiler` of the run, in the place
/// of what an earlier run has left there. Names come from the compiler, and lead nowhere else.
base::Status KeepInsight(const repro::RunFolder& folder, const ShownRun& shown);

}  // namespace culprit::hunt
