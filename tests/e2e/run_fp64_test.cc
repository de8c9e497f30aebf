// SPDX-License-Identifier: Apache-2.0
//
// culprit run --fp64, from the shell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

/// Runs a graph of one input with 1,000 numbers.
ProgramRun RunGraph(const std::string& body, const std::string& options) {
  return RunShell("culprit run /dev/stdin " + options +
                  " <<'END'\n"
                  "class Repro(torch.nn.Module):\n"
                  "    def forward(self, x):\n" +
                  body +
                  "def load_args(reader):\n"
                  "    buf0 = reader.storage(None, 4000)\n"
                  "    reader.tensor(buf0, (1000,), is_leaf=True)\n"
                  "load_args._version = 0\n"
                  "END");
}

constexpr const char* kThird =
    "        third = torch.ops.aten.div.Tensor(x, 3.0)\n"
    "        return (third,)\n";

TEST(RunFp64Test, ShowsHowFarEachOutputIsFromFloat64) {
  const ProgramRun run = RunGraph(kThird, "--fp64 --json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto third = nlohmann::json::parse(run.out)[0];
  EXPECT_EQ(third["dtype"], "torch.float32");
  EXPECT_GT(third["max_rel"], 1e-9);
  EXPECT_LT(third["max_rel"], 1e-7);
}

TEST(RunFp64Test, TheTableHasTheColumnsOnlyWhenAskedTo) {
  EXPECT_THAT(RunGraph(kThird, "--fp64").out, MatchesRegex(" +output [^\n]* max abs +max rel\n(.|\n)*"));
  EXPECT_THAT(RunGraph(kThird, "").out, Not(HasSubstr("max abs")));
}

TEST(RunFp64Test, BothRunsSeeTheSameRandomNumbersAndInputs) {
  const ProgramRun run = RunGraph(
      "        x_1 = torch.ops.aten.mul_.Tensor(x, 2)\n"
      "        rand = torch.ops.aten.rand.default([1000])\n"
      "        sum_1 = torch.ops.aten.add.Tensor(x_1, rand)\n"
      "        return (sum_1,)\n",
      "--fp64 --json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const double distance = nlohmann::json::parse(run.out)[0]["max_abs"];
  EXPECT_LT(distance, 1e-6);
}

TEST(RunFp64Test, AGraphThatCannotBeCastIsRefusedByName) {
  const ProgramRun run = RunGraph(
      "        bits = torch.ops.aten.view.dtype(x, torch.int32)\n"
      "        return (bits,)\n",
      "--fp64");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(
      run.err,
      "note: the file does not hold the data of x; these are random numbers\n"
      "/dev/stdin: error: cannot be run in float64: aten::view.dtype reinterprets bits, which differ in "
      "float64\n"
      "  help: run it without --fp64\n");
  EXPECT_EQ(run.out, "");
}

TEST(RunFp64Test, AGraphThatFailsIsAFailureAndNotAUsageError) {
  const ProgramRun run = RunGraph(
      "        view = torch.ops.aten.view.default(x, [7])\n"
      "        return (view,)\n",
      "--fp64");
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr("/dev/stdin:3: error: the graph fails in eager mode at 'view = "
                                 "torch.ops.aten.view.default': shape '[7]' is "
                                 "invalid"));
}

}  // namespace
}  // namespace culprit::tests
