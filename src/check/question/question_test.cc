// SPDX-License-Identifier: Apache-2.0
#include "check/question/question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::check {
namespace {

using backend::Answer;
using backend::FailureKind;
using backend::FailurePhase;
using backend::FailureSignature;
using backend::MatchMode;
using testing::ElementsAre;
using testing::IsEmpty;

const FailureSignature kWrongNumbers{.phase = FailurePhase::kCompare,
                                     .kind = FailureKind::kWrongValues,
                                     .call = 1,
                                     .guilty_output = "outputs[0]"};
const FailureSignature kNan{.phase = FailurePhase::kCompare, .kind = FailureKind::kNan, .call = 1};
const FailureSignature kThrown{
    .phase = FailurePhase::kCompile, .kind = FailureKind::kException, .message = "cannot lower"};

/// Answers in a fixed order: W wrong numbers, N NaN, T thrown, . passes, ! invalid. Begins anew at the end.
class Script {
 public:
  explicit Script(std::string letters) : letters_(std::move(letters)) {}

  AskOnce Ask() {
    return [this](const repro::Repro&) -> base::Result<Finding> {
      return FindingOf(letters_[asked_++ % letters_.size()]);
    };
  }
  int asked() const { return asked_; }

 private:
  static Finding FindingOf(char letter) {
    switch (letter) {
      case 'W':
        return {.failure = kWrongNumbers};
      case 'N':
        return {.failure = kNan};
      case 'T':
        return {.failure = kThrown};
      case '!':
        return {.invalid = "eager itself failed"};
      default:
        return {.warnings = {"a warning"}};
    }
  }

  std::string letters_;
  int asked_ = 0;
};

QuestionReply Ask(const std::string& letters, const Expectation& expected) {
  Script script(letters);
  QuestionReply reply = *AskRepeatedly(script.Ask(), {}, expected);
  EXPECT_EQ(reply.queries, script.asked());
  return reply;
}

Character CharacterOf(const std::string& letters, const CharacterizeOptions& options = {}) {
  Script script(letters);
  Character character = *Characterize(script.Ask(), {}, options);
  EXPECT_EQ(character.queries, script.asked());
  return character;
}

TEST(RepeatsForTest, AsManyAsItTakesToSeeAFailureWith99Percent) {
  EXPECT_EQ(RepeatsFor(1), 1);
  EXPECT_EQ(RepeatsFor(0.995), 1);
  EXPECT_EQ(RepeatsFor(0.9), 2);
  EXPECT_EQ(RepeatsFor(0.5), 7);
  EXPECT_EQ(RepeatsFor(0.1), 44);
}

TEST(RepeatsForTest, NeverMoreThanTheMost) {
  EXPECT_EQ(RepeatsFor(0.001), kMostRepeats);
  EXPECT_EQ(RepeatsFor(1e-300), kMostRepeats);
  EXPECT_EQ(RepeatsFor(0), kMostRepeats);
}

TEST(JudgeTest, TellsTheFourAnswersApart) {
  const Expectation expected{kWrongNumbers};
  EXPECT_EQ(Judge({.failure = kWrongNumbers}, expected).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = kThrown}, expected).answer, Answer::kOtherFailure);
  EXPECT_EQ(Judge({}, expected).answer, Answer::kPasses);
  EXPECT_EQ(Judge({.invalid = "why"}, expected).answer, Answer::kInvalid);
}

TEST(JudgeTest, SaysWhatItSaw) {
  const Expectation expected{kWrongNumbers};
  const backend::QuestionVerdict other = Judge({.failure = kThrown}, expected);
  EXPECT_EQ(other.signature, kThrown);
  EXPECT_EQ(other.reason, FirstDifference(kWrongNumbers, kThrown, MatchMode::kMessage));
  EXPECT_EQ(Judge({.invalid = "why"}, expected).reason, "why");
  EXPECT_EQ(Judge({.failure = kWrongNumbers}, expected).signature, kWrongNumbers);
}

// Otherwise the search for a wrong kernel would end with rounding.
TEST(JudgeTest, WhatIsNearTheNoiseIsNoFormOfAClearFailure) {
  const Finding near{.failure = kWrongNumbers, .is_near_noise = true};
  EXPECT_EQ(Judge(near, {.signature = kWrongNumbers, .is_clear = true}).answer, Answer::kPasses);
  EXPECT_EQ(Judge(near, {.signature = kWrongNumbers}).answer, Answer::kSameFailure);
  const auto ask = [&](const repro::Repro&) -> base::Result<Finding> { return near; };
  EXPECT_FALSE(Characterize(ask, {})->expectation->is_clear);
  EXPECT_TRUE(CharacterOf("W").expectation->is_clear);
}

// It takes two runs to see that results vary, and which query sees it is a matter of chance.
TEST(JudgeTest, ResultsThatVaryAreTheWrongNumbersThatTheyWere) {
  FailureSignature varying = kWrongNumbers;
  varying.kind = FailureKind::kNonDeterministic;
  EXPECT_EQ(Judge({.failure = varying}, {kWrongNumbers}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = kNan}, {varying}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = varying}, {kThrown}).answer, Answer::kOtherFailure);
  FailureSignature shape = kWrongNumbers;
  shape.kind = FailureKind::kShape;
  EXPECT_EQ(Judge({.failure = varying}, {shape}).answer, Answer::kOtherFailure);
}

TEST(JudgeTest, TheModeDecidesWhatIsTheSame) {
  FailureSignature elsewhere = kWrongNumbers;
  elsewhere.guilty_output = "outputs[3]";
  EXPECT_EQ(Judge({.failure = elsewhere}, {kWrongNumbers, MatchMode::kMessage}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = elsewhere}, {kWrongNumbers, MatchMode::kExact}).answer, Answer::kOtherFailure);
  EXPECT_EQ(Judge({.failure = kThrown}, {kWrongNumbers, MatchMode::kAny}).answer, Answer::kSameFailure);
}

TEST(JudgeTest, AFailureBesideTheFirstMayBeTheExpectedOne) {
  const FailureSignature written{.phase = FailurePhase::kCompare, .kind = FailureKind::kMutatedInput};
  const Finding both{.failure = kWrongNumbers, .also = {written}};
  EXPECT_EQ(Judge(both, {written}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge(both, {written}).signature, written);
  EXPECT_EQ(Judge(both, {kWrongNumbers}).signature, kWrongNumbers);
  EXPECT_EQ(Judge(both, {kThrown}).answer, Answer::kOtherFailure);
  EXPECT_EQ(Judge(both, {kThrown}).signature, kWrongNumbers);
}

TEST(JudgeTest, WhatIsNonDeterministicIsAnyDifferenceInTheResults) {
  FailureSignature sometimes = kWrongNumbers;
  sometimes.kind = FailureKind::kNonDeterministic;
  EXPECT_EQ(Judge({.failure = kNan}, {sometimes}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = kWrongNumbers}, {sometimes, MatchMode::kExact}).answer, Answer::kSameFailure);
  EXPECT_EQ(Judge({.failure = kThrown}, {sometimes}).answer, Answer::kOtherFailure);
}

TEST(AskRepeatedlyTest, OneQueryIsEnoughForWhatFailsAlways) {
  EXPECT_EQ(Ask("W", {kWrongNumbers}).verdict.answer, Answer::kSameFailure);
  EXPECT_EQ(Ask(".", {kWrongNumbers}).verdict.answer, Answer::kPasses);
  EXPECT_EQ(Ask(".", {kWrongNumbers}).queries, 1);
}

TEST(AskRepeatedlyTest, AFlakyFailureIsAskedForUntilItShows) {
  const QuestionReply reply = Ask("..T.W...", {.signature = kWrongNumbers, .repeats = 7});
  EXPECT_EQ(reply.verdict.answer, Answer::kSameFailure);
  EXPECT_EQ(reply.finding.failure, kWrongNumbers);
  EXPECT_EQ(reply.queries, 5);
}

TEST(AskRepeatedlyTest, PassingIsBelievedAfterAllRepeats) {
  const QuestionReply reply = Ask(".", {.signature = kWrongNumbers, .repeats = 7});
  EXPECT_EQ(reply.verdict.answer, Answer::kPasses);
  EXPECT_EQ(reply.queries, 7);
}

TEST(AskRepeatedlyTest, WhatIsInvalidIsNotAskedAgain) {
  const QuestionReply reply = Ask(".!W", {.signature = kWrongNumbers, .repeats = 7});
  EXPECT_EQ(reply.verdict.answer, Answer::kInvalid);
  EXPECT_EQ(reply.queries, 2);
}

TEST(AskRepeatedlyTest, AnErrorEndsIt) {
  const AskOnce ask = [](const repro::Repro&) -> base::Result<Finding> {
    return base::Diagnostic{{}, "nothing can be forked"};
  };
  EXPECT_EQ(AskRepeatedly(ask, {}, {.repeats = 3}).error().message, "nothing can be forked");
  EXPECT_EQ(Characterize(ask, {}).error().message, "nothing can be forked");
}

TEST(CharacterizeTest, WhatFailsAlwaysIsAskedForOnceEach) {
  const Character character = CharacterOf("W");
  EXPECT_EQ(character.expectation->signature, kWrongNumbers);
  EXPECT_EQ(character.expectation->repeats, 1);
  EXPECT_EQ(character.queries, 3);
  EXPECT_FALSE(character.is_flaky());
}

TEST(CharacterizeTest, WhatPassesHasNothingToAskFor) {
  const Character character = CharacterOf(".");
  EXPECT_FALSE(character.expectation);
  EXPECT_EQ(character.invalid, "");
  EXPECT_THAT(character.warnings, ElementsAre("a warning"));
}

TEST(CharacterizeTest, WhatIsInvalidSaysWhy) {
  const Character character = CharacterOf("!");
  EXPECT_EQ(character.invalid, "eager itself failed");
  EXPECT_EQ(character.queries, 1);
}

TEST(CharacterizeTest, WrongNumbersNowAndThenAreNonDeterministic) {
  const Character character = CharacterOf("W.");
  EXPECT_TRUE(character.is_flaky());
  EXPECT_EQ(character.expectation->signature.kind, FailureKind::kNonDeterministic);
  EXPECT_EQ(character.expectation->signature.phase, FailurePhase::kCompare);
  EXPECT_EQ(character.failures, 10);
  EXPECT_EQ(character.queries, 20);
  EXPECT_EQ(character.expectation->repeats, 7);
}

TEST(CharacterizeTest, AFailureThatComesLateIsFlakyToo) {
  const Character character = CharacterOf("..W.......");
  EXPECT_EQ(character.failures, 2);
  EXPECT_EQ(character.expectation->repeats, RepeatsFor(0.1));
}

TEST(CharacterizeTest, ExceptionsNowAndThenStayExceptions) {
  const Character character = CharacterOf("T.");
  EXPECT_EQ(character.expectation->signature, kThrown);
  EXPECT_EQ(character.expectation->repeats, 7);
}

TEST(CharacterizeTest, OtherFailuresAreKeptOnceEach) {
  const Character character = CharacterOf("TWN");
  EXPECT_EQ(character.expectation->signature, kThrown);
  EXPECT_THAT(character.others, ElementsAre(kWrongNumbers, kNan));
  EXPECT_EQ(character.failures, 7) << "of 20";
}

TEST(CharacterizeTest, WithAnyFailureAllCount) {
  const Character character = CharacterOf("TWN", {.match = MatchMode::kAny});
  EXPECT_FALSE(character.is_flaky());
  EXPECT_THAT(character.others, IsEmpty());
  EXPECT_EQ(character.expectation->match, MatchMode::kAny);
}

TEST(CharacterizeTest, WhatIsWrongInManyWaysIsOneFailure) {
  const Character sometimes = CharacterOf("WN..");
  EXPECT_EQ(sometimes.expectation->signature.kind, FailureKind::kNonDeterministic);
  EXPECT_EQ(sometimes.failures, 10) << "of 20";
  EXPECT_THAT(sometimes.others, IsEmpty());
  const Character always = CharacterOf("WN");
  EXPECT_EQ(always.expectation->signature.kind, FailureKind::kNonDeterministic);
  EXPECT_EQ(always.expectation->repeats, 1);
}

TEST(CharacterizeTest, WhatWasCharacterizedIsFoundAgain) {
  const Character character = CharacterOf("WN.");
  EXPECT_EQ(Ask("...N", *character.expectation).verdict.answer, Answer::kSameFailure);
}

TEST(CharacterizeTest, WhatVariesCanBeIgnored) {
  Script script("W.");
  const Character character = *Characterize(script.Ask(), {}, {.ignored = {FailureKind::kNonDeterministic}});
  EXPECT_FALSE(character.expectation);
  ASSERT_EQ(character.ignored.size(), 1u);
  EXPECT_EQ(character.ignored[0].kind, FailureKind::kNonDeterministic);
}

}  // namespace
}  // namespace culprit::check
