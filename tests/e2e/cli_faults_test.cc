// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(CliFaultsTest, ListsEveryKindWithItsArgument) {
  const ProgramRun run = Culprit({"faults"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 27);
  EXPECT_THAT(run.out, StartsWith("compile-error      the compilation throws a std::runtime_error\n"));
  EXPECT_THAT(run.out, HasSubstr("\nflaky:N            wrong numbers at one call in N, at random\n"));
}

TEST(CliFaultsTest, TakesNoArguments) {
  ExpectRefused({"faults", "tanh"},
                "culprit faults: error: unexpected argument 'tanh'\n"
                "  help: to see its options, run: culprit faults --help\n");
}

}  // namespace
}  // namespace culprit::tests
