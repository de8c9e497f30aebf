// SPDX-License-Identifier: Apache-2.0
//
// With suppress_errors a program computes what it computes without a compiler, and counts how often it had
// to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/watch/watched_run.h"

namespace culprit::tests {
namespace {

struct Suppressed {
  std::string fault;
  /// At the end of what is printed.
  std::string counters;
};

/// At level 4, after aot.
void ExpectAsWithoutFault(const Suppressed& suppressed, const std::vector<std::string>& arguments) {
  SCOPED_TRACE(suppressed.fault);
  const WatchedRun right({.level = 0, .arguments = arguments});
  const std::string numbers = right.program().out.substr(0, right.program().out.find("failures"));
  const WatchedRun run(
      {.fault = suppressed.fault, .arguments = arguments, .settings = {{"CULPRIT_SUPPRESS_ERRORS", "1"}}});
  EXPECT_EQ(run.program().exit_code, 0) << run.program().err;
  EXPECT_EQ(run.program().out, numbers + suppressed.counters + "\n");
  EXPECT_EQ(run.Left().size(), 1);
}

TEST(WatchTest, ACompilerThatThrowsIsReplacedByTheProgramItself) {
  ExpectAsWithoutFault({"relu:compile-error", "failures 1, suppressed 2, checked 0"}, {});
}

TEST(WatchTest, CallsThatThrowAreDoneByTheProgramItself) {
  ExpectAsWithoutFault({"relu:runtime-error", "failures 2, suppressed 2, checked 0"}, {});
  ExpectAsWithoutFault({"relu:nonstandard-throw", "failures 2, suppressed 2, checked 0"}, {});
}

TEST(WatchTest, WrongNumbersAreReplacedByRightOnes) {
  ExpectAsWithoutFault({"relu:accuracy", "failures 2, suppressed 2, checked 2"}, {});
  ExpectAsWithoutFault({"relu:late", "failures 1, suppressed 1, checked 2"}, {});
}

TEST(WatchTest, ABackwardGraphIsReplacedToo) {
  ExpectAsWithoutFault({"threshold_backward:compile-error", "failures 1, suppressed 2, checked 2"},
                       {"--train"});
  ExpectAsWithoutFault({"threshold_backward:runtime-error", "failures 2, suppressed 2, checked 2"},
                       {"--train"});
  ExpectAsWithoutFault({"threshold_backward:accuracy", "failures 2, suppressed 2, checked 4"}, {"--train"});
}

TEST(WatchTest, WhatTheGraphWritesIntoIsWrittenOnce) {
  ExpectAsWithoutFault({"relu:accuracy", "failures 2, suppressed 2, checked 2"}, {"--net", "writing"});
}

TEST(WatchTest, ErrorsAreSuppressedThoughNobodyWatches) {
  const WatchedRun run(
      {.fault = "relu:runtime-error", .point = "none", .settings = {{"CULPRIT_SUPPRESS_ERRORS", "1"}}});
  EXPECT_EQ(run.program().out, "call 1: 9.6185\ncall 2: 9.6288\nfailures 2, suppressed 2, checked 0\n");
  EXPECT_TRUE(run.Left().empty());
}

}  // namespace
}  // namespace culprit::tests
