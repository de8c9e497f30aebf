// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace culprit::cli {
namespace {

using check::CheckStatus;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

compare::Output Passing(const std::string& path) {
  return {.path = path, .dtype = at::kFloat, .sizes = {2}, .passes = true, .rule = compare::Rule::kEqual};
}

compare::Output Failing(const std::string& path) {
  compare::Output output = Passing(path);
  output.passes = false;
  output.reference.inf = 1;
  output.result.inf = 2;
  output.detail = compare::Detail{.worst = compare::WorstElement{{1}, {1, 0}, {2, 3}, {}}};
  output.noise = compare::Noise{.floor = 1, .factor = 2.5};
  return output;
}

Judgement Judged(CheckStatus status, std::vector<compare::Output> outputs) {
  return {.check = {.status = status, .verdict = {.outputs = std::move(outputs)}}, .tolerance = 1e-4};
}

TEST(VerdictTableTest, InfinitiesAndNoiseHaveAColumn) {
  const std::string table = VerdictAsTable(Judged(CheckStatus::kDifferent, {Failing("outputs[0]")}));
  EXPECT_THAT(table, HasSubstr("NaN  Inf  tolerance  noise\n"));
  EXPECT_THAT(table, HasSubstr(" 0/0  1/2          -   2.5x\n"));
}

TEST(VerdictTableTest, TheWorstElementIsShownWholly) {
  const std::string table = VerdictAsTable(Judged(CheckStatus::kDifferent, {Failing("outputs[0]")}));
  EXPECT_THAT(table, EndsWith("\n  outputs[0][1] is 2+3j, and 1 in float64\n1 value off.\n"));
}

TEST(VerdictTableTest, TwoRunsThatDifferAreNoRunInFloat64) {
  const std::string table = VerdictAsTable(Judged(CheckStatus::kReferenceUnstable, {Failing("outputs[0]")}));
  EXPECT_THAT(table, EndsWith("\n  outputs[0][1] is 2+3j, and 1 in another run\n"
                              "1 value not the same in two runs of the graph, which cannot be judged.\n"));
}

TEST(VerdictTableTest, OnlyInputsThatNobodyWroteIntoAreLeftOut) {
  Judgement judgement = Judged(
      CheckStatus::kSame,
      {Passing("calls[0].inputs[1]"), Passing("calls[0].inputs[2][0]"), Passing("calls[0].inputs[12]")});
  judgement.check.unwritten_inputs = {"calls[0].inputs[1]", "calls[0].inputs[2]"};
  const std::string table = VerdictAsTable(judgement);
  EXPECT_THAT(table, Not(testing::AnyOf(HasSubstr("inputs[1]"), HasSubstr("inputs[2]"))));
  EXPECT_THAT(table, HasSubstr("0  calls[0].inputs[12] "));
  EXPECT_THAT(table, EndsWith("  2 inputs untouched\nThe numbers agree with float64.\n"));
}

TEST(VerdictTableTest, AWiderToleranceIsExplained) {
  Judgement judgement = Judged(CheckStatus::kSame, {Passing("outputs[0]")});
  judgement.tolerance = 0.03125;
  judgement.rounding = check::Rounding{at::kBFloat16, 0.03125};
  EXPECT_THAT(VerdictAsTable(judgement),
              HasSubstr("  the tolerance is 0.03125, since the graph computes in torch.bfloat16\n"));
  EXPECT_EQ(VerdictAsJson(judgement)["tolerance"], 0.03125);
}

TEST(VerdictTableTest, WarningsAreShown) {
  Judgement judgement = Judged(CheckStatus::kSame, {});
  judgement.check.warnings = {"no fp64 reference for outputs[0]"};
  EXPECT_THAT(VerdictAsTable(judgement), HasSubstr("  no fp64 reference for outputs[0]\n"));
  EXPECT_EQ(VerdictAsJson(judgement)["warnings"].size(), 1);
}

}  // namespace
}  // namespace culprit::cli
