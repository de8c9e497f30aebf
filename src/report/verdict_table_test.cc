// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace culprit::report {
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

check::Judgement Judged(CheckStatus status, std::vector<compare::Output> outputs) {
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
  check::Judgement judgement = Judged(
      CheckStatus::kSame,
      {Passing("calls[0].inputs[1]"), Passing("calls[0].inputs[2][0]"), Passing("calls[0].inputs[12]")});
  judgement.check.unwritten_inputs = {"calls[0].inputs[1]", "calls[0].inputs[2]"};
  const std::string table = VerdictAsTable(judgement);
  EXPECT_THAT(table, Not(testing::AnyOf(HasSubstr("inputs[1]"), HasSubstr("inputs[2]"))));
  EXPECT_THAT(table, HasSubstr("0  calls[0].inputs[12] "));
  EXPECT_THAT(table, EndsWith("  2 inputs untouched\nThe numbers agree with float64.\n"));
}

/// So many of each.
std::vector<compare::Output> Values(size_t failing, size_t passing) {
  std::vector<compare::Output> values;
  for (size_t i = 0; i < passing + failing; ++i) {
    const std::string path = fmt::format("outputs[{}]", i);
    values.push_back(i < passing ? Passing(path) : Failing(path));
  }
  return values;
}

std::string OfCompiler(size_t failing, size_t passing) {
  check::Judgement judgement =
      Judged(failing == 0 ? CheckStatus::kSame : CheckStatus::kDifferent, Values(failing, passing));
  judgement.against = check::Against::kEager;
  return VerdictAsTable(judgement);
}

TEST(VerdictTableTest, OfACompilersValuesThoseThatAreOkAreCounted) {
  const std::string table = OfCompiler(2, 179);
  EXPECT_THAT(table, HasSubstr("0  outputs[179]  torch.float32  [2]    OFF  equal "));
  EXPECT_THAT(table, HasSubstr("1  outputs[180]  torch.float32  [2]    OFF  equal "));
  EXPECT_THAT(table, Not(HasSubstr(" ok  ")));
  EXPECT_THAT(table, EndsWith("\n  179 other values are ok\n2 values off.\n"));
}

TEST(VerdictTableTest, WithoutAnyThatIsOffThereIsNoTable) {
  EXPECT_EQ(OfCompiler(0, 181), "  181 values are ok\nThe numbers agree with eager.\n");
  EXPECT_EQ(OfCompiler(0, 1), "  1 value is ok\nThe numbers agree with eager.\n");
}

TEST(VerdictTableTest, OfManyThatAreOffTheFirstOnesAreShown) {
  const std::string table = OfCompiler(23, 1);
  EXPECT_THAT(table, HasSubstr("\n19  outputs[20] "));
  EXPECT_THAT(table, Not(HasSubstr("outputs[21]")));
  EXPECT_THAT(table, EndsWith("\n  3 other values are off, too\n  1 other value is ok\n23 values off.\n"));
}

TEST(VerdictTableTest, OfAGraphInFloat64WhatIsOkIsShownAsWellInItsOrder) {
  const std::string table = VerdictAsTable(Judged(CheckStatus::kDifferent, Values(1, 30)));
  EXPECT_THAT(table, HasSubstr("\n 0  outputs[0] "));
  EXPECT_THAT(table, HasSubstr("\n18  outputs[18] "));
  EXPECT_THAT(table, HasSubstr("\n19  outputs[30] "));
  EXPECT_THAT(table, EndsWith("\n  11 other values are ok\n1 value off.\n"));
}

TEST(VerdictTableTest, MachinesGetAllValues) {
  EXPECT_EQ(VerdictAsJson(Judged(CheckStatus::kDifferent, Values(2, 179)))["outputs"].size(), 181);
}

TEST(VerdictTableTest, OfManyMismatchesTheFirstOnesAreShown) {
  check::Judgement judgement = Judged(CheckStatus::kDifferent, {});
  for (size_t i = 0; i < 25; ++i) {
    judgement.check.verdict.mismatches.push_back(
        {compare::MismatchKind::kAliasing, fmt::format("outputs[{}]", i), "shares memory"});
  }
  const std::string table = VerdictAsTable(judgement);
  EXPECT_THAT(table, HasSubstr("  outputs[19]: "));
  EXPECT_THAT(table, Not(HasSubstr("outputs[20]")));
  EXPECT_THAT(table, HasSubstr("  and 5 more of this kind\n"));
}

TEST(VerdictTableTest, AWiderToleranceIsExplained) {
  check::Judgement judgement = Judged(CheckStatus::kSame, {Passing("outputs[0]")});
  judgement.tolerance = 0.03125;
  judgement.rounding = check::Rounding{at::kBFloat16, 0.03125};
  EXPECT_THAT(VerdictAsTable(judgement),
              HasSubstr("  the tolerance is 0.03125, since the graph computes in torch.bfloat16\n"));
  EXPECT_EQ(VerdictAsJson(judgement)["tolerance"], 0.03125);
}

TEST(VerdictTableTest, WarningsAreShown) {
  check::Judgement judgement = Judged(CheckStatus::kSame, {});
  judgement.check.warnings = {"no fp64 reference for outputs[0]"};
  EXPECT_THAT(VerdictAsTable(judgement), HasSubstr("  no fp64 reference for outputs[0]\n"));
  EXPECT_EQ(VerdictAsJson(judgement)["warnings"].size(), 1);
}

}  // namespace
}  // namespace culprit::report
