// SPDX-License-Identifier: Apache-2.0
#include "check/question/try_switches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>

namespace culprit::check {
namespace {

using testing::ElementsAre;
using Clock = std::chrono::steady_clock;

const Finding kFails{.failure = backend::FailureSignature{}};

TriedSwitches Try(const std::string& backend, const std::function<bool(const std::string&)>& passes,
                  Clock::time_point deadline = Clock::time_point::max(), size_t jobs = 1) {
  repro::Repro repro;
  repro.header.backend = backend;
  const AskOnce ask = [&](const repro::Repro& asked) -> base::Result<Finding> {
    return passes(asked.header.backend) ? Finding{} : kFails;
  };
  return *TrySwitches(ask, repro, {.deadline = deadline, .jobs = jobs});
}

bool NothingHelps(const std::string& /*backend*/) {
  return false;
}

TEST(TrySwitchesTest, TheOneThatMakesItPassIsNamed) {
  const TriedSwitches tried = Try("torchscript:stage=ofi", [](const std::string& backend) {
    return backend.find("off=convert_to_mkldnn") != std::string::npos;
  });
  EXPECT_THAT(tried.passing, ElementsAre("torchscript:stage=ofi,off=convert_to_mkldnn"));
  EXPECT_GT(tried.tried, 10u);
  EXPECT_EQ(tried.tried, tried.switches);
  EXPECT_EQ(tried.ToString(), "passes with --backend torchscript:stage=ofi,off=convert_to_mkldnn");
}

TEST(TrySwitchesTest, WhereNoneHelpsItSaysHowManyWereTried) {
  const TriedSwitches tried = Try("torchscript", NothingHelps);
  EXPECT_EQ(tried.ToString(),
            fmt::format("none of the {} switches of the compiler makes it pass", tried.switches));
}

TEST(TrySwitchesTest, WhatIsOffAlreadyIsNotTried) {
  std::vector<std::string> asked;
  const TriedSwitches tried = Try("torchscript:off=peephole", [&](const std::string& backend) {
    asked.push_back(backend);
    return false;
  });
  EXPECT_EQ(tried.tried, tried.switches - 1);
  for (const std::string& backend : asked)
    EXPECT_THAT(backend, testing::StartsWith("torchscript:off=peephole,off="));
}

TEST(TrySwitchesTest, ItEndsAtTheDeadline) {
  const TriedSwitches tried = Try("torchscript", NothingHelps, Clock::time_point::min());
  EXPECT_EQ(tried.tried, 0u);
  EXPECT_EQ(tried.ToString(), "");
  TriedSwitches some{.switches = 30, .tried = 7};
  EXPECT_EQ(some.ToString(), "7 of 30 switches of the compiler were tried, and none makes it pass");
}

TEST(TrySwitchesTest, SeveralAreAskedAtATimeAndNamedInOrder) {
  std::barrier both(2);
  std::atomic<int> waiting = 0;
  const TriedSwitches tried = Try(
      "torchscript",
      [&](const std::string&) {
        // The first two meet, or nothing would end.
        if (waiting++ < 2) both.arrive_and_wait();
        return true;
      },
      Clock::time_point::max(), 2);
  EXPECT_EQ(tried.tried, tried.switches);
  EXPECT_EQ(tried.passing, Try("torchscript", [](const std::string&) { return true; }).passing);
}

TEST(TrySwitchesTest, ACompilerWithoutSwitchesHasNothingToTry) {
  EXPECT_EQ(Try("eager", NothingHelps).ToString(), "");
}

}  // namespace
}  // namespace culprit::check
