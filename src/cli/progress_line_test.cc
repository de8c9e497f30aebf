// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

hunt::Progress Example() {
  return {.operators_before = 412,
          .operators = 23,
          .questions = 17,
          .bound = [] { return 40; },
          .seconds = 2,
          .strategy = "quickxplain"};
}

TEST(ProgressTextTest, SaysHowFarItIsAndHowLongItMayTake) {
  EXPECT_EQ(ProgressText(Example()),
            "23 of 412 operators, 17 questions, 8.5 per second, at most 40 more (5 s): quickxplain");
}

TEST(ProgressTextTest, LongTimesAreInMinutesAndHours) {
  hunt::Progress progress = Example();
  progress.bound = [] { return 8500; };
  EXPECT_EQ(ProgressText(progress),
            "23 of 412 operators, 17 questions, 8.5 per second, at most 8500 more (17 min): quickxplain");
  progress.bound = [] { return 850000; };
  EXPECT_EQ(ProgressText(progress),
            "23 of 412 operators, 17 questions, 8.5 per second, at most 850000 more (28 h): quickxplain");
}

TEST(ProgressTextTest, BeforeTheFirstAnswerThereIsNoRate) {
  hunt::Progress progress = Example();
  progress.questions = 0;
  EXPECT_EQ(ProgressText(progress), "23 of 412 operators, 0 questions: quickxplain");
}

TEST(FittedToTest, ALineNeverReachesTheLastColumn) {
  EXPECT_EQ(FittedTo(10, "123456789"), "123456789");
  EXPECT_EQ(FittedTo(10, "1234567890"), "123456789");
  EXPECT_EQ(FittedTo(1, "12"), "");
}

TEST(FittedToTest, WhereTheWidthIsNotKnownAllIsShown) {
  EXPECT_EQ(FittedTo(0, "1234567890"), "1234567890");
}

/// What is written to standard error, which is no terminal here.
std::string Shown(const std::vector<size_t>& operators) {
  testing::internal::CaptureStderr();
  ProgressLine line;
  for (const size_t number : operators) {
    hunt::Progress progress = Example();
    progress.operators = number;
    progress.questions = 0;
    line.Show(progress);
  }
  line.Clear();
  return testing::internal::GetCapturedStderr();
}

TEST(ProgressLineTest, ElsewhereThanOnATerminalALineIsForFewerOperators) {
  EXPECT_EQ(Shown({23, 23, 9, 9}),
            "23 of 412 operators, 0 questions: quickxplain\n9 of 412 operators, 0 questions: quickxplain\n");
}

}  // namespace
}  // namespace culprit::cli
