// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace culprit::cli {

/// Parses the command line, runs the command, and returns the exit code.
int RunCommandLine(int argc, char** argv);

}  // namespace culprit::cli
