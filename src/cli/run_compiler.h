// SPDX-License-Identifier: Apache-2.0
//
// `culprit run` with a compiler: a process for every set of inputs, and for every time.
#pragma once

#include "cli/run_options.h"
#include "repro/read_repro.h"

namespace culprit::cli {

/// The command in children: as often as it is asked for, and until one set of inputs fails.
int RunInChildren(const RunOptions& options);

/// In the child, when the file is open.
int RunCompiler(repro::ReadRepro read, const RunOptions& options);

}  // namespace culprit::cli
