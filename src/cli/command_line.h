// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::cli {

/// First thing in main(): for ThisCommandWith.
void RememberCommandLine(int argc, char** argv);

/// Parses the command line, runs the command, and returns the exit code.
int RunCommandLine(int argc, char** argv);

/// The command line of this process with these words behind it, as a user types it.
std::string ThisCommandWith(const std::string& more);

}  // namespace culprit::cli
