// SPDX-License-Identifier: Apache-2.0
//
// Random programs are worth as much as the mistakes they find: builds every mutant of a part (its
// table.cmake) and lets it loose on them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <iostream>
#include <sstream>

#include "tests/lib/run_program.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// "seed 0\nseed 1\nseed 2\n" => "seed 2"
std::string LastSeed(const std::string& out) {
  const std::string last = out.substr(out.rfind("seed"));
  return last.substr(0, last.find('\n'));
}

std::string HowItEnded(const ProgramRun& run) {
  switch (run.exit_code) {
    case 0:
      return "not found";
    case 1:
      return LastSeed(run.out);
    case 128 + SIGPROF:
      return LastSeed(run.out) + ", does not end";
    default:
      return fmt::format("{}, ends with {}", LastSeed(run.out), run.exit_code);
  }
}

TEST(MutantsTest, NineOfTenAreFound) {
  if (!FullVolume()) GTEST_SKIP() << "only in full volume: it builds a program for each";
  const ProgramRun build = RunProgram({CULPRIT_CMAKE, "--build", CULPRIT_BUILD_FOLDER, "--target",
                                       CULPRIT_MUTANTS_TARGET, "--parallel", "2"});
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err;
  size_t mutants = 0, found = 0;
  std::istringstream names(CULPRIT_MUTANTS);
  for (std::string name; names >> name; ++mutants) {
    const ProgramRun run = RunProgram({CULPRIT_MUTANTS_FOLDER "/mutant_" + name, CULPRIT_MUTANTS_SEEDS});
    found += run.exit_code != 0;
    std::cout << fmt::format("{:<40} {}\n", name, HowItEnded(run)) << std::flush;
  }
  std::cout << fmt::format("{} of {} mutants are found\n", found, mutants);
  EXPECT_GE(mutants, 10u);
  EXPECT_GE(found * 10, mutants * 9);
}

}  // namespace
}  // namespace culprit::tests
