// SPDX-License-Identifier: Apache-2.0
//
// What the program exits with (README.md), and errors on their way there.
#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace culprit::cli {

enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,
  kUsage = 2,
  kInternal = 3,
  /// Disk, memory, a helper process that died.
  kEnvironment = 4,
  /// Eager itself fails, so there is nothing that a compiler could be compared with.
  kReference = 5,
  kInterrupted = 130,
  /// Whoever should have read the output has gone away: what a shell shows of a program that SIGPIPE ends.
  kNobodyReads = 141,
};

/// Prints the error to standard error and returns the exit code, which is that of its cause.
int Fail(const base::Diagnostic& error);
int Fail(const base::Diagnostic& error, ExitCode code);

ExitCode CodeOf(base::Cause cause);
/// The exit code of a graph that cannot be judged, for this reason.
ExitCode CodeOfInvalid(std::string_view reason);

}  // namespace culprit::cli
