// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/sign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace culprit::check {
namespace {

using compare::MismatchKind;
using testing::ElementsAre;
using testing::IsEmpty;

compare::Output Failing(std::string path, int64_t nan_in_reference = 0, int64_t nan_in_result = 0) {
  compare::Output output{.path = std::move(path)};
  output.reference.nan = nan_in_reference;
  output.result.nan = nan_in_result;
  return output;
}

compare::Output Passing(std::string path) {
  return {.path = std::move(path), .passes = true};
}

CheckResult Different(std::vector<compare::Mismatch> mismatches, std::vector<compare::Output> outputs = {}) {
  CheckResult check{.status = CheckStatus::kDifferent};
  check.verdict.mismatches = std::move(mismatches);
  check.verdict.outputs = std::move(outputs);
  return check;
}

CheckResult Failed(const RunFailure& failure, CheckStatus status = CheckStatus::kCandidateFailed) {
  return {.status = status, .message = "it failed: " + failure.ToString(), .failure = failure};
}

std::string LineOf(const Finding& finding) {
  return finding.failure ? finding.failure->ToString() : "no failure";
}

std::string Signed(const CheckResult& check) {
  return LineOf(SignCheck(check));
}

std::string Signed(isolate::Ending ending, std::string phase = "call 1") {
  return LineOf(SignEnding({.ending = std::move(ending), .phase = std::move(phase)}));
}

TEST(SignCheckTest, WhatIsTheSamePasses) {
  const Finding finding = SignCheck({.warnings = {"it was dark"}});
  EXPECT_TRUE(finding.passes());
  EXPECT_THAT(finding.warnings, ElementsAre("it was dark"));
}

TEST(SignCheckTest, EveryKindOfMismatchHasItsKindOfFailure) {
  const std::pair<MismatchKind, const char*> kCases[] = {
      {MismatchKind::kType, "wrong shape"},
      {MismatchKind::kLength, "wrong shape"},
      {MismatchKind::kKeys, "wrong shape"},
      {MismatchKind::kValue, "wrong values"},
      {MismatchKind::kDtype, "wrong dtype"},
      {MismatchKind::kShape, "wrong shape"},
      {MismatchKind::kLayout, "wrong shape"},
      {MismatchKind::kDevice, "wrong shape"},
      {MismatchKind::kStrides, "wrong shape"},
      {MismatchKind::kQuantizer, "wrong shape"},
      {MismatchKind::kRequiresGrad, "wrong requires_grad"},
      {MismatchKind::kAliasing, "wrong aliasing"},
      {MismatchKind::kNoData, "wrong shape"},
      {MismatchKind::kUnsupported, "wrong shape"},
  };
  for (const auto& [kind, what] : kCases)
    EXPECT_EQ(Signed(Different({{kind, "outputs[2]", "m"}})),
              fmt::format("compare: {} in outputs[2] (call 1)", what));
}

TEST(SignCheckTest, NumbersAreWrongOrNan) {
  EXPECT_EQ(Signed(Different({}, {Failing("outputs[0]")})), "compare: wrong values in outputs[0] (call 1)");
  EXPECT_EQ(Signed(Different({}, {Failing("outputs[0]", 0, 1)})), "compare: NaN in outputs[0] (call 1)");
  EXPECT_EQ(Signed(Different({}, {Failing("outputs[0]", 2, 2)})),
            "compare: wrong values in outputs[0] (call 1)")
      << "eager has as many";
}

TEST(SignCheckTest, GradientsAndInputsAreKindsOfTheirOwn) {
  EXPECT_EQ(Signed(Different({}, {Failing("gradients.inputs[1]", 0, 5)})),
            "compare: wrong gradient in gradients.inputs[1] (call 1)");
  EXPECT_EQ(Signed(Different({{MismatchKind::kType, "gradients.parameters.w", "m"}})),
            "compare: wrong gradient in gradients.parameters.w (call 1)");
  EXPECT_EQ(Signed(Different({}, {Failing("inputs[0]")})), "compare: mutated input in inputs[0] (call 1)");
  EXPECT_EQ(Signed(Different({{MismatchKind::kShape, "inputs[0]", "m"}})),
            "compare: mutated input in inputs[0] (call 1)");
}

TEST(SignCheckTest, PathsOfSeveralCallsNameTheCall) {
  const CheckResult check =
      Different({}, {Passing("calls[0].outputs[0]"), Failing("calls[2].outputs[0]"),
                     Failing("calls[1].outputs[1]"), Failing("calls[1].gradients.inputs[0]")});
  EXPECT_EQ(Signed(check), "compare: wrong values in outputs[1] (call 2)");
  EXPECT_EQ(SignCheck(check).failure->guilty_output, "outputs[1]");
  EXPECT_THAT(SignCheck(check).wrong_outputs, ElementsAre(1)) << "of that call alone";
  EXPECT_EQ(Signed(Different({}, {Failing("calls[11].outputs[0]")})),
            "compare: wrong values in outputs[0] (call 12)");
}

TEST(SignCheckTest, OutputsComeBeforeInputsAndGradients) {
  EXPECT_EQ(Signed(Different({{MismatchKind::kDtype, "gradients.inputs[0]", "m"}},
                             {Failing("inputs[0]"), Failing("outputs[3]")})),
            "compare: wrong values in outputs[3] (call 1)");
  EXPECT_EQ(Signed(Different({}, {Failing("gradients.inputs[0]"), Failing("inputs[1]")})),
            "compare: mutated input in inputs[1] (call 1)");
}

TEST(SignCheckTest, TheFirstOutputIsGuiltyWhateverItsKind) {
  const Finding finding = SignCheck(
      Different({{MismatchKind::kShape, "outputs[10]", "m"}, {MismatchKind::kAliasing, "outputs[2]", "m"}},
                {Failing("outputs[1]"), Failing("outputs[2]"), Passing("outputs[3]")}));
  EXPECT_EQ(LineOf(finding), "compare: wrong values in outputs[1] (call 1)");
  EXPECT_THAT(finding.wrong_outputs, ElementsAre(1, 2, 10));
}

TEST(SignCheckTest, AWrittenInputIsAFailureBesideAWrongOutput) {
  const Finding finding =
      SignCheck(Different({}, {Failing("inputs[0]"), Failing("outputs[1]"), Failing("inputs[2]"),
                               Failing("outputs[0]"), Failing("gradients.inputs[0]")}));
  EXPECT_EQ(LineOf(finding), "compare: wrong values in outputs[0] (call 1)");
  ASSERT_EQ(finding.also.size(), 1);
  EXPECT_EQ(finding.also[0].ToString(), "compare: mutated input in inputs[0] (call 1)");
}

TEST(SignCheckTest, AWrittenInputIsNotBesideItselfNorBesideAnEarlierCall) {
  EXPECT_THAT(SignCheck(Different({}, {Failing("inputs[0]"), Failing("inputs[1]")})).also, IsEmpty());
  EXPECT_THAT(SignCheck(Different({}, {Failing("calls[0].outputs[0]"), Failing("calls[1].inputs[1]")})).also,
              IsEmpty());
}

TEST(SignCheckTest, AnotherNumberOfOutputsIsOfAllOfThem) {
  const Finding finding = SignCheck(Different({{MismatchKind::kLength, "outputs", "m"}}));
  EXPECT_EQ(LineOf(finding), "compare: wrong shape in outputs (call 1)");
  EXPECT_THAT(finding.wrong_outputs, IsEmpty());
}

TEST(SignCheckTest, WhatWasThrownIsSignedByThePhaseOfTheRun) {
  const auto thrown = [](Phase phase, int call) {
    return Signed(Failed({phase, "bad size 3", call, "std::runtime_error"}));
  };
  EXPECT_EQ(thrown(Phase::kCompile, 0), "compile: exception std::runtime_error: bad size N");
  EXPECT_EQ(thrown(Phase::kClone, 0), "call 1: exception std::runtime_error: bad size N");
  EXPECT_EQ(thrown(Phase::kForward, 1), "call 2: exception std::runtime_error: bad size N");
  EXPECT_EQ(thrown(Phase::kSynchronize, 0), "call 1: exception std::runtime_error: bad size N");
  EXPECT_EQ(thrown(Phase::kReduce, 0), "backward: exception std::runtime_error: bad size N (call 1)");
  EXPECT_EQ(thrown(Phase::kBackward, 2), "backward: exception std::runtime_error: bad size N (call 3)");
}

TEST(SignCheckTest, WhatEagerCannotDoIsInvalid) {
  const RunFailure failure{Phase::kForward, "no kernel"};
  EXPECT_EQ(SignCheck(Failed(failure, CheckStatus::kReferenceFailed)).invalid,
            "it failed: forward: no kernel");
  for (const CheckStatus status : {CheckStatus::kReferenceUnstable, CheckStatus::kNoFp64}) {
    const Finding finding = SignCheck({.status = status, .message = "why"});
    EXPECT_EQ(finding.invalid, "why");
    EXPECT_FALSE(finding.failure);
    EXPECT_FALSE(finding.passes());
  }
}

TEST(SignEndingTest, EveryEndingHasItsKind) {
  EXPECT_EQ(Signed(isolate::Exception{"std::bad_alloc", "no 3 bytes"}),
            "call 1: exception std::bad_alloc: no N bytes");
  EXPECT_EQ(Signed(isolate::NonstandardThrow{"int"}), "call 1: exception int: ");
  EXPECT_EQ(Signed(isolate::Signal{.number = SIGSEGV}), "call 1: signal SIGSEGV");
  EXPECT_EQ(Signed(isolate::Timeout{}), "call 1: time limit exceeded");
  EXPECT_EQ(Signed(isolate::MemoryLimit{}), "call 1: memory limit exceeded");
  EXPECT_EQ(Signed(isolate::Exit{0}), "call 1: exit with code 0");
  EXPECT_EQ(Signed(isolate::Exit{7}), "call 1: exit with code 7");
  EXPECT_EQ(Signed(isolate::Garbage{"cut its connection"}), "call 1: exception: cut its connection");
}

TEST(SignEndingTest, ThePhaseSaysWhatWasGoingOn) {
  EXPECT_EQ(Signed(isolate::Exit{7}, "compile"), "compile: exit with code 7");
  EXPECT_EQ(Signed(isolate::Exit{7}, "call 12"), "call 12: exit with code 7");
  EXPECT_EQ(Signed(isolate::Exit{7}, "backward of call 2"), "backward: exit with code 7 (call 2)");
}

TEST(SignCheckTest, WhatCannotBeHandedToTheCompilerIsInvalid) {
  const Finding finding = SignCheck(
      {.status = CheckStatus::kCandidateRefused, .message = "it has no word for it", .help = "use another"});
  EXPECT_EQ(finding.invalid, "it has no word for it");
  EXPECT_EQ(finding.help, "use another");
  EXPECT_FALSE(finding.failure);
}

TEST(SignEndingTest, WhatDiesWhenItIsCalledAgainVaries) {
  EXPECT_EQ(Signed(isolate::Signal{.number = SIGSEGV}, std::string(kAgainPhase)),
            "compare: results that vary from run to run");
  const Finding late = SignEnding({.ending = isolate::Timeout{}, .phase = std::string(kAgainPhase)});
  EXPECT_FALSE(late.failure) << "it was in time before";
}

TEST(SignEndingTest, WhatDiesInEagerIsInvalid) {
  for (const std::string_view phase : {kEagerPhase, kRepeatPhase, kFp64Phase, kNoisePhase}) {
    const Finding finding = SignEnding({.ending = isolate::Exit{7}, .phase = std::string(phase)});
    EXPECT_EQ(finding.invalid, fmt::format("eager itself failed: in {}: exited with 7", phase));
    EXPECT_EQ(finding.help, "");
    EXPECT_FALSE(finding.failure);
  }
}

TEST(SignEndingTest, ALimitThatIsReachedBesideTheCompilerIsOurs) {
  const auto ended = [](isolate::Ending ending, std::string_view phase) {
    const Finding finding = SignEnding({.ending = std::move(ending), .phase = std::string(phase)});
    EXPECT_FALSE(finding.failure);
    return finding.invalid + "\nhelp: " + finding.help;
  };
  EXPECT_EQ(ended(isolate::Timeout{isolate::Clock::kWall, std::chrono::seconds(60)}, kEagerPhase),
            "reached a limit of Culprit's own in eager: took more than 60 s of wall time\n"
            "help: to give it more, add: --timeout 300");
  EXPECT_EQ(ended(isolate::Timeout{isolate::Clock::kCpu, std::chrono::milliseconds(1500)}, kRepeatPhase),
            "reached a limit of Culprit's own in the second run of eager: took more than 1.5 s of CPU time\n"
            "help: to give it more, add: --cpu-limit 10");
  EXPECT_EQ(
      ended(isolate::MemoryLimit{uint64_t{8} << 30, uint64_t{9} << 30}, kFp64Phase),
      "reached a limit of Culprit's own in the run in float64: used 9.0 GiB of memory, more than 8.0 GiB\n"
      "help: to give it more, add: --memory-limit 16384");
  EXPECT_EQ(ended(isolate::Timeout{isolate::Clock::kWall, std::chrono::seconds(1)}, kLoadPhase),
            "reached a limit of Culprit's own in load: took more than 1 s of wall time\n"
            "help: to give it more, add: --timeout 5");
}

TEST(SignEndingTest, ALimitThatTheCompilerReachesIsItsFailureAndMayBeRaised) {
  const Finding hang = SignEnding(
      {.ending = isolate::Timeout{isolate::Clock::kWall, std::chrono::seconds(60)}, .phase = "compile"});
  EXPECT_EQ(LineOf(hang), "compile: time limit exceeded");
  EXPECT_EQ(hang.help, "if it is no failure but needs more, add: --timeout 300");
  EXPECT_EQ(SignEnding({.ending = isolate::MemoryLimit{1 << 20, 2 << 20}, .phase = "call 1"}).help,
            "if it is no failure but needs more, add: --memory-limit 2");
  EXPECT_EQ(SignEnding({.ending = isolate::Exit{7}, .phase = "call 1"}).help, "");
}

TEST(SignEndingTest, MemoryThatIsBrokenWhenResultsAreComparedWasBrokenByTheCompiler) {
  EXPECT_EQ(Signed(isolate::Signal{.number = SIGSEGV}, "compare"), "compare: signal SIGSEGV");
}

TEST(SignEndingTest, WhatDiesWhenItIsReadIsInvalid) {
  const Finding finding = SignEnding({.ending = isolate::Exit{7}, .phase = std::string(kLoadPhase)});
  EXPECT_THAT(finding.invalid, testing::StartsWith("cannot be loaded: in load: "));
  EXPECT_FALSE(finding.failure);
}

TEST(SignEndingTest, ACrashIsKnownByItsFramesAndLastWords) {
  const isolate::Signal signal{
      .number = SIGABRT,
      .frames = {{"libc.so.6", 1, "abort"}, {"libmine.so", 2, "mine::Emit(int)"}, {"culprit", 3, "main"}},
      .last_words = "std::runtime_error: line 5"};
  const Finding finding = SignEnding({.ending = signal, .phase = "compile"});
  EXPECT_EQ(LineOf(finding), "compile: signal SIGABRT in mine::Emit");
  EXPECT_EQ(finding.failure->message, "std::runtime_error: line N");
}

TEST(SignEndingTest, AStackOverflowIsNoOtherSegmentationFault) {
  const isolate::Signal signal{.number = SIGSEGV, .address_class = isolate::AddressClass::kStackOverflow};
  EXPECT_EQ(SignEnding({.ending = signal, .phase = "call 1"}).failure->message, "stack overflow");
}

TEST(SignEndingTest, ASignalWithoutANameHasItsNumber) {
  EXPECT_EQ(Signed(isolate::Signal{.number = 63}), "call 1: signal signal 63");
}

const backend::FailureKinds kAliasingAndNan = {backend::FailureKind::kAliasing, backend::FailureKind::kNan};

TEST(SignIgnoredTest, WhatAnIgnoredKindHidesIsSigned) {
  const CheckResult check =
      Different({{MismatchKind::kAliasing, "outputs[0]", "m"}, {MismatchKind::kAliasing, "outputs[1]", "m"}},
                {Failing("outputs[1]", 0, 1), Failing("outputs[2]")});
  const Finding finding = SignCheck(check, kAliasingAndNan);
  EXPECT_EQ(LineOf(finding), "compare: wrong values in outputs[2] (call 1)");
  EXPECT_THAT(finding.wrong_outputs, ElementsAre(2));
  ASSERT_EQ(finding.ignored.size(), 2u);
  EXPECT_EQ(finding.ignored[0].ToString(), "compare: wrong aliasing in outputs[0] (call 1)");
  EXPECT_EQ(finding.ignored[1].ToString(), "compare: NaN in outputs[1] (call 1)");
}

TEST(SignIgnoredTest, BehindAnIgnoredCallALaterOneIsSigned) {
  const CheckResult check =
      Different({{MismatchKind::kAliasing, "calls[0].outputs[0]", "m"}}, {Failing("calls[1].outputs[0]")});
  EXPECT_EQ(LineOf(SignCheck(check, kAliasingAndNan)), "compare: wrong values in outputs[0] (call 2)");
}

TEST(SignIgnoredTest, WhereNothingElseIsWrongItPasses) {
  const Finding finding =
      SignCheck(Different({{MismatchKind::kAliasing, "outputs[0]", "m"}}), kAliasingAndNan);
  EXPECT_TRUE(finding.passes());
  EXPECT_EQ(finding.ignored.size(), 1u);
  EXPECT_TRUE(SignCheck({}, kAliasingAndNan).ignored.empty());
}

TEST(SignIgnoredTest, ExceptionsAndDeathsCanBeIgnoredToo) {
  const Finding thrown =
      SignCheck(Failed({.phase = Phase::kCompile, .message = "cannot"}), {backend::FailureKind::kException});
  EXPECT_TRUE(thrown.passes());
  EXPECT_EQ(thrown.ignored.size(), 1u);
  const isolate::Outcome crash{.ending = isolate::Signal{.number = SIGSEGV}, .phase = "call 1"};
  EXPECT_TRUE(SignEnding(crash, {backend::FailureKind::kSignal}).passes());
  EXPECT_FALSE(SignEnding(crash, {backend::FailureKind::kException}).passes());
}

TEST(SignCheckTest, HowWrongTheGuiltyOutputIsIsTold) {
  compare::Output output = Failing("outputs[1]", 0, 3);
  output.sizes = {8};
  EXPECT_EQ(SignCheck(Different({}, {Passing("outputs[0]"), output})).how_wrong->NonFiniteAsText(),
            "3 of 8 elements are NaN");
  EXPECT_EQ(
      SignCheck(Different({{MismatchKind::kDtype, "outputs[0]", "bool, not int64"}})).how_wrong->ToString(),
      "bool, not int64");
}

}  // namespace
}  // namespace culprit::check
