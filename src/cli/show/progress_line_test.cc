// SPDX-License-Identifier: Apache-2.0
#include "cli/show/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

#include <functional>

namespace culprit::cli {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

hunt::Progress Example(size_t operators = 23) {
  return {.operators_before = 412, .operators = operators, .questions = 17, .strategy = "quickxplain"};
}

TEST(ProgressTextTest, SaysHowFarItIsAndWhatItDoes) {
  EXPECT_EQ(ProgressText(Example()), "23 of 412 operators, 17 questions, quickxplain");
}

TEST(DurationTextTest, LongTimesAreInMinutesAndHours) {
  EXPECT_EQ(base::DurationText(milliseconds(1999)), "1 s");
  EXPECT_EQ(base::DurationText(seconds(119)), "119 s");
  EXPECT_EQ(base::DurationText(minutes(119)), "119 min");
  EXPECT_EQ(base::DurationText(hours(28)), "28 h");
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
std::string Shown(const std::function<void(ProgressLine&)>& work) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line;
    work(line);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(ProgressLineTest, ElsewhereThanOnATerminalALineIsForFewerOperators) {
  const std::string shown = Shown([](ProgressLine& line) {
    for (const size_t operators : {23, 23, 9, 9}) line.Show(Example(operators));
  });
  EXPECT_EQ(shown,
            "23 of 412 operators, 17 questions, quickxplain, 0 s\n"
            "9 of 412 operators, 17 questions, quickxplain, 0 s\n");
}

TEST(ProgressLineTest, WhatTakesLongerThanASecondIsTold) {
  const std::string shown = Shown([](ProgressLine& line) {
    line.Begin("capturing net.pt");
    line.Begin("run 1 of 3");
    std::this_thread::sleep_for(milliseconds(1700));
  });
  EXPECT_EQ(shown, "run 1 of 3, 1 s\n");
}

TEST(ProgressLineTest, WhatIsDoneIsNotTold) {
  const std::string shown = Shown([](ProgressLine& line) {
    line.Begin("run 1 of 3");
    line.Clear();
    std::this_thread::sleep_for(milliseconds(1300));
  });
  EXPECT_EQ(shown, "");
}

}  // namespace
}  // namespace culprit::cli
