// SPDX-License-Identifier: Apache-2.0
//
// Settings of a program that is watched, each by what it changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"
#include "tests/watch/watched_run.h"

namespace culprit::tests {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

constexpr const char* kRight = "call 1: 9.6185\ncall 2: 9.6288\n";

TEST(WatchTest, OneCallInSoManyIsChecked) {
  const WatchedRun run({.arguments = {"--calls", "7"}, .settings = {{"CULPRIT_CHECK_EVERY", "3"}}});
  EXPECT_THAT(run.program().out, EndsWith("failures 0, suppressed 0, checked 3\n"));
  // From the 2nd call on the numbers are wrong, and the 4th is the first that is looked at.
  const WatchedRun late(
      {.fault = "relu:late", .arguments = {"--calls", "7"}, .settings = {{"CULPRIT_CHECK_EVERY", "3"}}});
  EXPECT_THAT(late.program().out, MatchesRegex("call 1: .*\ncall 2: .*\ncall 3: .*\n"));
  EXPECT_THAT(late.program().out, Not(HasSubstr("call 4")));
  EXPECT_THAT(late.program().err, StartsWith("exception culprit::AccuracyError\n"));
}

TEST(WatchTest, WhatIsWithinTheToleranceIsNoFailure) {
  for (const std::string point : {"capture", "aot"}) {
    const WatchedRun run(
        {.fault = "relu:accuracy", .point = point, .settings = {{"CULPRIT_REPRO_TOLERANCE", "100"}}});
    EXPECT_EQ(run.program().exit_code, 0) << run.program().err;
    EXPECT_TRUE(run.Left().empty());
  }
}

TEST(WatchTest, OnlyTheForwardPassIsCompared) {
  const Watching watching{
      .fault = "threshold_backward:accuracy", .point = "capture", .arguments = {"--train"}};
  EXPECT_EQ(WatchedRun(watching).program().exit_code, 1);
  Watching forward = watching;
  forward.settings = {{"CULPRIT_REPRO_FORWARD_ONLY", "1"}};
  EXPECT_EQ(WatchedRun(forward).program().exit_code, 0);
}

TEST(WatchTest, IntegersCanBeIgnored) {
  const Watching watching{.fault = "relu:accuracy", .arguments = {"--net", "integers"}};
  EXPECT_THAT(WatchedRun(watching).program().err, StartsWith("exception culprit::AccuracyError\n"));
  Watching ignoring = watching;
  ignoring.settings = {{"CULPRIT_REPRO_IGNORE_NON_FLOAT", "1"}};
  EXPECT_EQ(WatchedRun(ignoring).program().exit_code, 0);
}

TEST(WatchTest, AReproThatIgnoresIntegersDoesSoUnlessEveryDifferenceIsToCount) {
  const WatchedRun run({.fault = "relu:accuracy", .arguments = {"--net", "integers"}});
  std::string text = run.Repro();
  const std::string compare = "\"compare\": {";
  ASSERT_THAT(text, HasSubstr(compare));
  text.replace(text.find(compare), compare.size(), compare + "\"ignore_non_float\": true, ");
  const std::string ignoring = run.Latest() + "/ignoring.py";
  WriteWholeFile(ignoring, text);
  EXPECT_EQ(Culprit({"run", ignoring}).exit_code, 0);
  EXPECT_EQ(Culprit({"run", ignoring, "--strict-accuracy"}).exit_code, 1);
}

TEST(WatchTest, AReproSaysWhatIsNotAtItsDefault) {
  const WatchedRun run({.fault = "relu:accuracy",
                        .settings = {{"CULPRIT_REPRO_FP64", "0"}, {"CULPRIT_RECOMPILE_LIMIT", "9"}}});
  EXPECT_THAT(run.Repro(),
              AllOf(HasSubstr("\"repro_fp64\": \"false\""), HasSubstr("\"recompile_limit\": \"9\"")));
  EXPECT_THAT(run.Repro(), AllOf(Not(HasSubstr("check_every")), Not(HasSubstr("repro_level")),
                                 Not(HasSubstr("repro_after")), Not(HasSubstr("directory"))));
}

TEST(WatchTest, NumbersAreVerifiedThoughNobodyWatches) {
  const WatchedRun run(
      {.fault = "relu:accuracy", .point = "none", .settings = {{"CULPRIT_VERIFY_CORRECTNESS", "1"}}});
  EXPECT_EQ(run.program().exit_code, 1);
  EXPECT_THAT(run.program().err,
              StartsWith("exception culprit::AccuracyError\nsignature compare: wrong values in "));
  EXPECT_THAT(run.program().err, Not(HasSubstr("culprit: ")));
  EXPECT_TRUE(run.Left().empty());
}

TEST(WatchTest, WhatIsDisabledRunsAsWritten) {
  const WatchedRun run(
      {.fault = "relu:segfault", .arguments = {"--counters"}, .settings = {{"CULPRIT_DISABLE", "1"}}});
  EXPECT_EQ(
      run.program().out,
      std::string(kRight) + "failures 0, suppressed 0, checked 0\ngraphs 0, recaptures 0, as written 0\n");
  EXPECT_EQ(run.program().err, "");
}

TEST(WatchTest, WithFreshCachesEveryCallIsCompiledAnew) {
  // What is wrong from its 2nd call on is never called twice.
  const Watching watching{.fault = "relu:late", .level = 0};
  EXPECT_THAT(WatchedRun(watching).program().out, Not(StartsWith(kRight)));
  Watching fresh = watching;
  fresh.settings = {{"CULPRIT_FRESH_CACHES", "1"}};
  EXPECT_THAT(WatchedRun(fresh).program().out, StartsWith(kRight));
}

TEST(WatchTest, PlacesThatAreCompiledTooOftenRunAsWritten) {
  const std::vector<std::string> arguments = {"--calls", "4", "--grow", "--counters"};
  for (const std::string limit : {"CULPRIT_RECOMPILE_LIMIT", "CULPRIT_ACCUMULATED_RECOMPILE_LIMIT"}) {
    const WatchedRun run(
        {.level = 0, .arguments = arguments, .settings = {{limit, "2"}, {"CULPRIT_DYNAMIC_SIZES", "off"}}});
    EXPECT_EQ(run.program().exit_code, 0);
    EXPECT_THAT(run.program().out, HasSubstr("\ngraphs 2, ")) << limit;
  }
}

TEST(WatchTest, TheLogIsWhereItIsWanted) {
  const std::vector<std::string> arguments = {"--calls", "3", "--grow"};
  const WatchedRun error({.level = 0, .arguments = arguments, .settings = {{"CULPRIT_LOG", "stderr"}}});
  EXPECT_THAT(error.program().err, StartsWith("culprit: "));
  const TemporaryFolder folder;
  const WatchedRun file({.level = 0, .arguments = arguments, .settings = {{"CULPRIT_LOG", folder / "log"}}});
  EXPECT_EQ(file.program().err, "");
  EXPECT_EQ(ReadWholeFile(folder / "log"), error.program().err);
}

TEST(WatchTest, AWrongSettingIsSaidToTheProgram) {
  const auto error = [](const std::string& variable, const std::string& value) {
    const WatchedRun run({.settings = {{variable, value}}});
    EXPECT_EQ(run.program().exit_code, 1);
    return run.program().err;
  };
  EXPECT_THAT(
      error("CULPRIT_REPRO_LEVEL", "9"),
      StartsWith("exception std::invalid_argument\nerror: CULPRIT_REPRO_LEVEL is '9', which is not a whole "
                 "number from 0 to 4\n"));
  EXPECT_THAT(
      error("CULPRIT_REPRO_LEVL", "3"),
      StartsWith("exception std::invalid_argument\nerror: unknown environment variable 'CULPRIT_REPRO_LEVL', "
                 "did you mean 'CULPRIT_REPRO_LEVEL'?\n"));
}

}  // namespace
}  // namespace culprit::tests
