// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/match.h"

#include <gtest/gtest.h>

#include <functional>

namespace culprit::backend {
namespace {

const FailureSignature kExpected{.phase = FailurePhase::kCall,
                                 .kind = FailureKind::kSignal,
                                 .call = 1,
                                 .message = "a",
                                 .exception_type = "t",
                                 .signal = "SIGSEGV",
                                 .frames = {"f", "g"},
                                 .guilty_output = "outputs[0]"};

/// The modes under which the failure is still the same after a change.
std::string SameAfter(const std::function<void(FailureSignature&)>& change) {
  FailureSignature met = kExpected;
  change(met);
  std::string modes;
  for (const MatchModeDescription& mode : kMatchModes) {
    if (SameFailure(kExpected, met, mode.mode)) modes += std::string(mode.name) + " ";
  }
  return modes;
}

TEST(MatchTest, EachModeComparesWhatItsRowSays) {
  EXPECT_EQ(SameAfter([](auto&) {}), "message exact kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.guilty_output = "outputs[1]"; }), "message kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.call = 2; }), "message kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.exception_type = "u"; }), "message kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.frames = {"f", "h"}; }), "message kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.frames = {"h", "g"}; }), "kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.message = "b"; }), "kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.signal = "SIGABRT"; }), "kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.exit_code = 7; }), "kind any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.kind = FailureKind::kExit; }), "any ");
  EXPECT_EQ(SameAfter([](auto& met) { met.phase = FailurePhase::kCompile; }), "any ");
}

TEST(MatchTest, UnknownFramesDoNotMakeAnotherFailure) {
  EXPECT_EQ(SameAfter([](auto& met) { met.frames = {}; }), "message kind any ");
}

TEST(MatchTest, TheFirstDifferenceIsNamed) {
  FailureSignature met = kExpected;
  met.signal = "SIGABRT";
  met.message = "b";
  EXPECT_EQ(FirstDifference(kExpected, met, MatchMode::kMessage), "the signal is 'SIGABRT', not 'SIGSEGV'");
  met.signal = "SIGSEGV";
  met.message = "";
  EXPECT_EQ(FirstDifference(kExpected, met, MatchMode::kMessage), "the message is none, not 'a'");
}

TEST(MatchTest, ModesAreFoundByTheirNames) {
  for (const MatchModeDescription& mode : kMatchModes) EXPECT_EQ(*ParseMatchMode(mode.name), mode.mode);
  const base::Result<MatchMode> unknown = ParseMatchMode("exakt");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "unknown match 'exakt', did you mean 'exact'?");
  EXPECT_EQ(unknown.error().help, "it is one of message, exact, kind, any");
}

}  // namespace
}  // namespace culprit::backend
