// SPDX-License-Identifier: Apache-2.0
//
// Runs the built program `culprit`, mostly on the scripts beside this file.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/lib/run_program.h"

namespace culprit::tests {

/// Lines of any length, unless a test says otherwise: each message is one, whatever it names.
inline EnvironmentChanges WithLongLines(EnvironmentChanges changes) {
  changes.emplace("COLUMNS", "0");
  return changes;
}

inline ProgramRun Culprit(std::vector<std::string> arguments, const EnvironmentChanges& changes = {}) {
  arguments.insert(arguments.begin(), CULPRIT_PROGRAM);
  return RunProgram(arguments, WithLongLines(changes));
}

/// A command for sh, as a user would type it; `culprit` is on its path.
inline ProgramRun RunShell(const std::string& command, EnvironmentChanges changes = {}) {
  const std::string folder = std::filesystem::path(CULPRIT_PROGRAM).parent_path();
  const char* path = std::getenv("PATH");
  changes["PATH"] = folder + ":" + (path == nullptr ? "" : path);
  return RunProgram({"/bin/sh", "-c", command}, WithLongLines(std::move(changes)));
}

inline std::string Script(const std::string& name) {
  return "tests/e2e/scripts/" + name;
}

/// Exit code 2, nothing on standard output, and exactly this on standard error.
inline void ExpectRefused(const std::vector<std::string>& arguments, const std::string& text) {
  const ProgramRun run = Culprit(arguments);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, text);
}

}  // namespace culprit::tests
