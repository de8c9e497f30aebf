// SPDX-License-Identifier: Apache-2.0
#include "check/question/ask_patiently.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/query/query_limits.h"

namespace culprit::check {
namespace {

using backend::FailureKind;
using backend::FailurePhase;
using testing::ElementsAre;

Finding Timeout() {
  Finding finding;
  finding.failure = {.phase = FailurePhase::kCall, .kind = FailureKind::kTimeout, .call = 1};
  return finding;
}

Finding WrongValues() {
  Finding finding;
  finding.failure = {.phase = FailurePhase::kCompare, .kind = FailureKind::kWrongValues, .call = 1};
  return finding;
}

/// Asks twice about a graph that shows `first` at once and `longer` with more time.
struct Asked {
  Asked(const Finding& first, const Finding& longer) {
    const AskOnce ask = AskPatiently([&](const repro::Repro&) { return ++quick, first; },
                                     [&](const repro::Repro&) { return ++patient, longer; }, QueryLimits());
    finding = *ask({});
    EXPECT_EQ(ask({})->failure, finding.failure);
  }

  int quick = 0;
  int patient = 0;
  Finding finding;
};

TEST(AskPatientlyTest, WhatIsDoneInTimeIsNotAskedForLonger) {
  const Asked asked(WrongValues(), {});
  EXPECT_EQ(asked.patient, 0);
  EXPECT_EQ(asked.quick, 2);
  EXPECT_EQ(asked.finding.failure->kind, FailureKind::kWrongValues);
}

TEST(AskPatientlyTest, ACompilerThatHangsHasFailed) {
  const Asked asked(Timeout(), Timeout());
  EXPECT_EQ(asked.finding.failure->kind, FailureKind::kTimeout);
  EXPECT_EQ(asked.patient, 1) << "the second answer is remembered";
}

TEST(AskPatientlyTest, ACompilerThatIsSlowPasses) {
  const Asked asked(Timeout(), {});
  EXPECT_TRUE(asked.finding.passes());
  EXPECT_THAT(asked.finding.warnings,
              ElementsAre("took more than the usual 60 s and was asked again with 300 s"));
}

TEST(AskPatientlyTest, WhatFailsAfterTheLimitSaysWhatToType) {
  const Asked asked(Timeout(), WrongValues());
  EXPECT_EQ(asked.finding.invalid,
            "reached a limit of Culprit's own: the compiler takes more than the usual 60 s, and fails after "
            "that: compare: wrong values (call 1)");
  EXPECT_EQ(asked.finding.help, "to give it more, add: --timeout 300");
}

TEST(AskPatientlyTest, ALimitThatAUserHasSetHoldsExactly) {
  isolate::Limits limits = QueryLimits();
  EXPECT_EQ(WithPatience(limits)->wall_time, kPatience * limits.wall_time);
  limits.growth.time = 0;
  EXPECT_FALSE(WithPatience(limits));
}

}  // namespace
}  // namespace culprit::check
