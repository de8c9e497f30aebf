// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/same_two_models.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "backend/refusal.h"
#include "check/run/function_model.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::FailingPaths;

at::Tensor Filled(double value, int64_t elements = 100, at::ScalarType dtype = at::kFloat) {
  return at::full({elements}, value, dtype);
}

FunctionModel Giving(const c10::IValue& value) {
  return FunctionModel::Plain([value](const Inputs&) { return value; });
}

/// Whose fp64 twin gives another value.
FunctionModel Giving(const c10::IValue& value, const c10::IValue& fp64) {
  FunctionModel model = Giving(value);
  model.set_fp64_twin([fp64] { return Giving(fp64).Copy(); });
  return model;
}

FunctionModel Throwing() {
  return FunctionModel::Plain([](const Inputs&) -> c10::IValue { throw std::runtime_error("no memory"); });
}

CheckStatus StatusOf(const Model& reference, const Model& candidate, const CheckOptions& options = {}) {
  return SameTwoModels(reference, candidate, {}, options).status;
}

TEST(SameTwoModelsTest, AModelIsTheSameAsItself) {
  const CheckResult result = SameTwoModels(Giving(Filled(1)), Giving(Filled(1)), {}, {.fp64 = Fp64::kNever});
  EXPECT_EQ(result.status, CheckStatus::kSame);
  EXPECT_EQ(result.message, "");
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_EQ(result.verdict.outputs.at(0).path, "outputs");
}

TEST(SameTwoModelsTest, ADifferenceIsNamed) {
  const CheckResult result = SameTwoModels(Giving(tests::Tuple({Filled(1), Filled(1)})),
                                           Giving(tests::Tuple({Filled(1), Filled(2)})), {}, {});
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_EQ(result.message, "the candidate differs from eager");
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("outputs[1]"));
}

// The numbers of PyTorch's own tests: 100 elements, reference 1, fp64 0, tolerance 0.04.
TEST(SameTwoModelsTest, TheFp64ReferenceDecides) {
  const FunctionModel reference = Giving(Filled(1), Filled(0, 100, at::kDouble));
  CheckOptions options = CheckOptions::Accuracy();
  options.compare.tolerance = 0.04;
  options.compare.revision = compare::Revision::kB;
  EXPECT_EQ(StatusOf(reference, Giving(Filled(2)), options), CheckStatus::kSame);
  EXPECT_EQ(StatusOf(reference, Giving(Filled(4)), options), CheckStatus::kDifferent);
  options.compare.larger_multiplier_for_small = true;
  EXPECT_EQ(StatusOf(reference, Giving(Filled(4)), options), CheckStatus::kSame);
  EXPECT_EQ(StatusOf(reference, Giving(Filled(9)), options), CheckStatus::kDifferent);
}

TEST(SameTwoModelsTest, WhatIsAsFarFromEagerAsEagerFromFp64IsNoise) {
  const FunctionModel reference = Giving(Filled(1), Filled(0, 100, at::kDouble));
  const CheckResult result = SameTwoModels(reference, Giving(Filled(5)), {}, CheckOptions::Accuracy());
  EXPECT_EQ(result.status, CheckStatus::kSame);
  EXPECT_EQ(result.verdict.outputs.at(0).rule, compare::Rule::kNoise);
  EXPECT_EQ(StatusOf(reference, Giving(Filled(5.1)), CheckOptions::Accuracy()), CheckStatus::kDifferent);
}

TEST(SameTwoModelsTest, EagerThatIsOffIsNamed) {
  const FunctionModel reference = Giving(Filled(1), Filled(0, 100, at::kDouble));
  const CheckResult result = SameTwoModels(reference, Giving(Filled(0.25)), {}, CheckOptions::Accuracy());
  EXPECT_EQ(result.status, CheckStatus::kSame);
  EXPECT_THAT(
      result.warnings,
      ElementsAre("outputs: eager is the one that is off: its error against float64 is 1, that of the "
                  "compiled graph 0.25"));
}

TEST(SameTwoModelsTest, EagerThatFailsIsReportedFirst) {
  const CheckResult result = SameTwoModels(Throwing(), Throwing(), {}, {});
  EXPECT_EQ(result.status, CheckStatus::kReferenceFailed);
  EXPECT_EQ(result.message, "eager itself failed: forward: no memory");
  EXPECT_EQ(result.failure.value().message, "no memory");
}

TEST(SameTwoModelsTest, EagerThatDiffersFromItselfIsReportedFirst) {
  double next = 0;
  const FunctionModel drifting = FunctionModel::Plain([&](const Inputs&) { return Filled(next++); });
  const CheckResult result = SameTwoModels(drifting, Giving(Filled(0)), {}, {});
  EXPECT_EQ(result.status, CheckStatus::kReferenceUnstable);
  EXPECT_EQ(result.message, "eager itself differs between two runs");
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("outputs"));
}

TEST(SameTwoModelsTest, RandomOperatorsDoNotMakeEagerUnstable) {
  const FunctionModel random = FunctionModel::Plain([](const Inputs&) { return at::rand({10}); });
  EXPECT_EQ(StatusOf(random, random), CheckStatus::kSame);
}

TEST(SameTwoModelsTest, ACandidateThatThrowsIsAFailureOfItsOwnKind) {
  const CheckResult result = SameTwoModels(Giving(Filled(1)), Throwing(), {}, {});
  EXPECT_EQ(result.status, CheckStatus::kCandidateFailed);
  EXPECT_EQ(result.message, "the candidate failed: forward: no memory");
  EXPECT_EQ(result.failure.value().phase, Phase::kForward);
}

TEST(SameTwoModelsTest, ARefusalIsNoFailureOfTheCandidate) {
  const FunctionModel refusing = FunctionModel::Plain(
      [](const Inputs&) -> c10::IValue { throw backend::Refusal("there is no word for it", "use another"); });
  const CheckResult result = SameTwoModels(Giving(Filled(1)), refusing, {}, {});
  EXPECT_EQ(result.status, CheckStatus::kCandidateRefused);
  EXPECT_EQ(result.message, "the graph cannot be handed to the compiler: there is no word for it");
  EXPECT_EQ(result.help, "use another");
  EXPECT_FALSE(result.failure);
}

TEST(SameTwoModelsTest, ADifferenceThatRequiredFp64CannotConfirmIsNone) {
  const CheckResult result =
      SameTwoModels(Giving(Filled(1)), Giving(Filled(2)), {}, {.fp64 = Fp64::kRequired});
  EXPECT_EQ(result.status, CheckStatus::kNoFp64);
  EXPECT_EQ(
      result.message,
      "could not generate fp64 outputs: the model is no graph, and offers no float64 version of itself");
  EXPECT_THAT(result.verdict.outputs, IsEmpty());
}

TEST(SameTwoModelsTest, Fp64IsNotAskedAboutWhatAgrees) {
  bool was_asked = false;
  FunctionModel reference = Giving(Filled(1));
  reference.set_fp64_twin([&] {
    was_asked = true;
    return Giving(Filled(1, 100, at::kDouble)).Copy();
  });
  const FunctionModel close = Giving(Filled(1.00001));
  EXPECT_EQ(StatusOf(reference, close, CheckOptions::Accuracy()), CheckStatus::kSame);
  EXPECT_FALSE(was_asked);
  EXPECT_EQ(StatusOf(reference, Giving(Filled(2)), CheckOptions::Accuracy()), CheckStatus::kDifferent);
  EXPECT_TRUE(was_asked);
}

TEST(SameTwoModelsTest, OneCallOfEagerStandsForAllOfAModelWithoutState) {
  int runs = 0;
  const FunctionModel reference = FunctionModel::Plain([&](const Inputs&) {
    ++runs;
    return Filled(1);
  });
  const FunctionModel candidate = FunctionModel::Plain([](const Inputs&) { return Filled(1); });
  const CheckResult result = SameTwoModels(reference, candidate, {}, {.run = {.calls = 3}});
  EXPECT_EQ(result.status, CheckStatus::kSame) << testing::PrintToString(FailingPaths(result.verdict));
  EXPECT_EQ(result.verdict.outputs.size(), 3);
  EXPECT_EQ(runs, 2) << "one in each of two runs";
}

// The second call of such a compiler writes over what the first has returned.
TEST(SameTwoModelsTest, OutputsThatShareMemoryWithThoseOfAnEarlierCallAreADifference) {
  const at::Tensor kept = Filled(1);
  const FunctionModel reusing = FunctionModel::Plain([&](const Inputs&) { return kept.fill_(1); });
  const FunctionModel reference = FunctionModel::Plain([](const Inputs&) { return Filled(1); });
  const CheckResult result = SameTwoModels(reference, reusing, {}, {.run = {.calls = 2}});
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("calls[1].outputs"));
}

TEST(SameTwoModelsTest, OneRunInFp64StandsForAllCallsOfAModelWithoutState) {
  int runs = 0;
  FunctionModel reference = FunctionModel::Plain([](const Inputs&) { return Filled(1); });
  reference.set_fp64_twin([&] {
    return FunctionModel::Plain([&](const Inputs&) {
             ++runs;
             return Filled(1, 100, at::kDouble);
           })
        .Copy();
  });
  const FunctionModel candidate = FunctionModel::Plain([](const Inputs&) { return Filled(2); });
  const CheckResult result = SameTwoModels(reference, candidate, {}, {.run = {.calls = 3}});
  EXPECT_EQ(runs, 1);
  ASSERT_EQ(result.verdict.outputs.size(), 3);
  for (const compare::Output& output : result.verdict.outputs) EXPECT_EQ(output.rmse_reference_fp64, 0);
}

TEST(SameTwoModelsTest, ACandidateThatThrowsNeedsNoFp64) {
  EXPECT_EQ(StatusOf(Giving(Filled(1)), Throwing(), CheckOptions::Accuracy()), CheckStatus::kCandidateFailed);
}

TEST(SameTwoModelsTest, MissingFp64IsAWarningOtherwise) {
  FunctionModel reference = Giving(Filled(1));
  reference.set_fp64_twin([] { return Throwing().Copy(); });
  const CheckResult result = SameTwoModels(reference, Giving(Filled(2)), {}, {});
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_THAT(result.warnings, ElementsAre("could not generate fp64 outputs: forward: no memory"));
}

TEST(SameTwoModelsTest, Fp64OfAnotherStructureIsNoReferenceAndNoFailure) {
  const FunctionModel reference = Giving(Filled(1), Filled(1, 3, at::kDouble));
  const CheckResult lenient = SameTwoModels(reference, Giving(Filled(2)), {}, {});
  EXPECT_EQ(lenient.status, CheckStatus::kDifferent);
  EXPECT_THAT(lenient.verdict.mismatches, IsEmpty());
  EXPECT_THAT(lenient.warnings, ElementsAre("no fp64 reference for outputs: the fp64 run has the shape [3], "
                                            "the reference [100]"));
  const CheckResult strict = SameTwoModels(reference, Giving(Filled(2)), {}, {.fp64 = Fp64::kRequired});
  EXPECT_EQ(strict.status, CheckStatus::kNoFp64);
  EXPECT_EQ(strict.message,
            "could not generate fp64 outputs: outputs: the fp64 run has the shape [3], the reference [100]");
}

TEST(SameTwoModelsTest, AccuracyIgnoresIntegersAndStrictDoesNot) {
  const FunctionModel reference = Giving(Filled(1, 4, at::kLong), Filled(1, 4, at::kLong));
  const FunctionModel candidate = Giving(Filled(2, 4, at::kLong));
  EXPECT_EQ(StatusOf(reference, candidate, CheckOptions::Accuracy()), CheckStatus::kSame);
  EXPECT_EQ(StatusOf(reference, candidate, CheckOptions::Strict()), CheckStatus::kDifferent);
}

TEST(SameTwoModelsTest, AccuracyRequiresFp64AndStrictDoesNot) {
  EXPECT_EQ(StatusOf(Giving(Filled(1)), Giving(Filled(2)), CheckOptions::Accuracy()), CheckStatus::kNoFp64);
  EXPECT_EQ(StatusOf(Giving(Filled(1)), Giving(Filled(2)), CheckOptions::Strict()), CheckStatus::kDifferent);
}

TEST(SameTwoModelsTest, NanIsEqualToNan) {
  const FunctionModel model = Giving(Filled(NAN), Filled(NAN, 100, at::kDouble));
  EXPECT_EQ(StatusOf(model, model, CheckOptions::Accuracy()), CheckStatus::kSame);
  EXPECT_EQ(StatusOf(model, model, CheckOptions::Strict()), CheckStatus::kSame);
}

TEST(SameTwoModelsTest, SeveralCallsAreAllCompared) {
  const FunctionModel reference = FunctionModel::Plain([](const Inputs&) { return Filled(1); });
  int calls = 0;
  const FunctionModel candidate =
      FunctionModel::Plain([&](const Inputs&) { return Filled(++calls == 2 ? 5 : 1); });
  const CheckResult result = SameTwoModels(reference, candidate, {}, {.run = {.calls = 3}});
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("calls[1].outputs"));
}

TEST(SameTwoModelsTest, StateThatOnlyOneModelShowsIsNotCompared) {
  const auto scale = [](const ModelState& state, Inputs&) { return state.parameters[0].tensor.mul(2); };
  const FunctionModel reference(scale, {{{"weight", Filled(1).requires_grad_(true)}}, {}});
  const FunctionModel candidate = Giving(Filled(2).requires_grad_(true).mul(1));
  const CheckResult result = SameTwoModels(reference, candidate, {}, {.fp64 = Fp64::kNever});
  EXPECT_EQ(result.status, CheckStatus::kSame) << testing::PrintToString(FailingPaths(result.verdict));
  EXPECT_THAT(result.warnings,
              ElementsAre("only one of the models shows parameters or buffers: they were not compared"));
}

TEST(SameTwoModelsTest, NoCloneGivesTheCallersTensorsToTheCandidateOnly) {
  const at::Tensor x = Filled(1);
  std::vector<bool> got_the_callers;
  const FunctionModel model = FunctionModel::Plain([&](const Inputs& inputs) {
    got_the_callers.push_back(inputs.at(0).toTensor().is_same(x));
    return inputs[0].toTensor().add_(1);
  });
  const CheckResult result = SameTwoModels(model, model, {x}, {.run = {.no_clone = true}});
  EXPECT_EQ(result.status, CheckStatus::kSame);
  EXPECT_THAT(got_the_callers, ElementsAre(false, false, true));
}

}  // namespace
}  // namespace culprit::check
