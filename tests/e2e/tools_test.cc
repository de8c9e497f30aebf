// SPDX-License-Identifier: Apache-2.0
//
// The scripts in tools/, where they refuse to work.
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"

namespace culprit::tests {
namespace {

TEST(ToolsTest, FuzzingWithoutSeedsIsAnError) {
  const ProgramRun run = RunShell(
      "root=$(mktemp -d) && trap 'rm -r \"$root\"' EXIT && mkdir -p \"$root/tools\" "
      "\"$root/tests/fuzz/seeds/script\" && "
      "cp tools/fuzz \"$root/tools\" && \"$root/tools/fuzz\"");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "fuzz: error: there are no seeds in tests/fuzz/seeds/script\n");
}

}  // namespace
}  // namespace culprit::tests
