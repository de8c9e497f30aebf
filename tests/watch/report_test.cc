// SPDX-License-Identifier: Apache-2.0
//
// What is in a repro, and when there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/e2e/culprit_program.h"
#include "tests/watch/watched_run.h"

namespace culprit::tests {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// How x begins in each call, and weight in all of them.
constexpr const char* kFirstX = "torch.tensor([-0.5, -0.19999999, ";
constexpr const char* kSecondX = "torch.tensor([0.5, 0.8, ";
constexpr const char* kWeight = "torch.tensor([-0.7, -0.59999996, ";

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(WatchTest, InputsOfTheReproAreThoseOfTheCallThatFailed) {
  const WatchedRun run({.fault = "relu:late"});
  EXPECT_EQ(run.program().out, "call 1: 9.6185\n");
  EXPECT_THAT(run.Repro(), AllOf(HasSubstr(kSecondX), HasSubstr(kWeight), Not(HasSubstr(kFirstX))));
}

TEST(WatchTest, InputsThatTheGraphWritesIntoAreKeptAsTheyWereBefore) {
  for (const std::string fault : {"relu:runtime-error", "relu:accuracy", "relu:segfault"}) {
    SCOPED_TRACE(fault);
    const WatchedRun run(
        {.fault = fault, .level = fault == "relu:segfault" ? 3 : 4, .arguments = {"--net", "writing"}});
    EXPECT_THAT(run.Repro(), HasSubstr(kFirstX));
  }
}

TEST(WatchTest, TheSameFailureIsCountedEachTimeAndWrittenOnce) {
  const WatchedRun run({.fault = "relu:runtime-error", .arguments = {"--catch", "--calls", "5"}});
  EXPECT_EQ(run.program().exit_code, 0);
  EXPECT_EQ(Count(run.program().out, "std::runtime_error"), 5);
  EXPECT_THAT(run.program().out, EndsWith("failures 5, suppressed 0, checked 0\n"));
  EXPECT_EQ(run.Left().size(), 1);
}

TEST(WatchTest, AFailureToCompileIsCountedOnceWhereverItIsWatched) {
  for (const std::string point : {"none", "capture", "aot", "auto"}) {
    const WatchedRun run({.fault = "relu:compile-error", .point = point, .arguments = {"--catch"}});
    EXPECT_THAT(run.program().out, EndsWith("failures 2, suppressed 0, checked 0\n")) << point;
  }
}

TEST(WatchTest, TwoRunsLeaveTwoRepros) {
  WatchedRun run({.fault = "relu:accuracy"});
  const std::string first = run.Latest();
  const std::string text = run.Repro();
  run.Again();
  EXPECT_EQ(run.Left().size(), 2);
  EXPECT_NE(run.Latest(), first);
  EXPECT_EQ(ReadWholeFile(first + "/repro.py"), text);
}

TEST(WatchTest, AProgramThatFailsByItselfIsLeftAlone) {
  const std::vector<std::string> failing = {"--net", "failing"};
  const WatchedRun plain({.arguments = failing, .settings = {{"CULPRIT_DISABLE", "1"}}});
  EXPECT_EQ(plain.program().exit_code, 1);
  EXPECT_THAT(plain.program().err, HasSubstr("index out of range"));
  const WatchedRun off({.level = 0, .arguments = failing});
  for (const int level : {1, 2, 3, 4}) {
    for (const std::string point : {"capture", "aot", "auto"}) {
      SCOPED_TRACE(testing::Message() << level << point);
      const WatchedRun run({.level = level, .point = point, .arguments = failing});
      EXPECT_EQ(run.program().exit_code, 1);
      // Without the backtrace, which has addresses.
      const auto message = [](const WatchedRun& of) {
        return of.program().err.substr(0, of.program().err.find("Exception raised from"));
      };
      EXPECT_EQ(message(run), message(off));
      EXPECT_THAT(run.program().err, Not(HasSubstr("culprit: ")));
      EXPECT_TRUE(run.Left().empty());
    }
  }
}

TEST(WatchTest, AFolderThatCannotBeWrittenIsAWarning) {
  for (const std::string fault : {"relu:runtime-error", "relu:compile-error"}) {
    for (const int level : {2, 3}) {
      SCOPED_TRACE(testing::Message() << fault << level);
      const WatchedRun run({.fault = fault,
                            .level = level,
                            .arguments = {"--calls", "3"},
                            .settings = {{"CULPRIT_DIRECTORY", "/proc/nowhere"}}});
      EXPECT_EQ(run.program().exit_code, 1);
      EXPECT_EQ(Count(run.program().err, "CULPRIT_DIRECTORY=DIR"), 1) << run.program().err;
      EXPECT_THAT(run.program().err, HasSubstr("injected fault: aten::relu"));
      EXPECT_THAT(run.program().err,
                  EndsWith("culprit: graph net_0_inference\nculprit: no repro could be written\n"));
    }
  }
}

TEST(WatchTest, AFolderThatCannotBeWrittenStopsNobody) {
  const WatchedRun run({.level = 3, .settings = {{"CULPRIT_DIRECTORY", "/proc/nowhere"}}});
  EXPECT_EQ(run.program().exit_code, 0);
  EXPECT_EQ(run.program().out, "call 1: 9.6185\ncall 2: 9.6288\nfailures 0, suppressed 0, checked 0\n");
  EXPECT_EQ(Count(run.program().err, "CULPRIT_DIRECTORY=DIR"), 1) << run.program().err;
}

TEST(WatchTest, WhatHasNotFailedLeavesNothing) {
  for (const int level : {2, 3, 4}) {
    const WatchedRun run({.level = level, .point = "auto", .arguments = {"--train"}});
    EXPECT_EQ(run.program().exit_code, 0);
    EXPECT_TRUE(run.Left().empty()) << level;
  }
}

TEST(WatchTest, AReproIsMinifiedWhileTheProgramGoesOn) {
  const WatchedRun run({.fault = "relu:accuracy",
                        .arguments = {"--catch", "--calls", "3"},
                        .settings = {{"CULPRIT_MINIFY_NOW", "1"}, {"CULPRIT_PROGRAM", CULPRIT_PROGRAM}}});
  EXPECT_EQ(run.program().exit_code, 0);
  EXPECT_THAT(run.program().out, EndsWith("failures 3, suppressed 0, checked 3\n"));
  const LeftFolder reported = run.Left().at(0);
  const std::string log = reported.path + "/minify.log";
  // It may go on for longer than the program.
  for (int i = 0; i < 600 && ReadWholeFile(log).find("\nto see it fail:") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("\nto see it fail:"));
  const std::vector<LeftFolder> left = run.Left();
  ASSERT_EQ(left.size(), 2);
  EXPECT_THAT(ReadWholeFile(left[1].repro()), AllOf(HasSubstr("aten.relu"), Not(HasSubstr("aten.sin"))));
}

TEST(WatchTest, ACommandThatDoesNotExistCannotMinify) {
  const WatchedRun run({.fault = "relu:accuracy",
                        .settings = {{"CULPRIT_MINIFY_NOW", "1"}, {"CULPRIT_PROGRAM", "/nowhere/culprit"}}});
  EXPECT_THAT(run.program().err, HasSubstr("name the command with: CULPRIT_PROGRAM=PATH"));
  EXPECT_EQ(run.Left().size(), 1);
}

}  // namespace
}  // namespace culprit::tests
