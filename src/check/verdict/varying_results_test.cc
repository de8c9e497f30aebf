// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/varying_results.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/verdict/same_two_models.h"
#include "check/verdict/sign.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

c10::IValue One(const at::Tensor& tensor) {
  return c10::ivalue::Tuple::create({tensor});
}

CheckResult CheckAgainstOnes(std::function<c10::IValue(const Inputs&)> compiled) {
  const FunctionModel reference =
      FunctionModel::Plain([](const Inputs&) -> c10::IValue { return One(at::ones({4})); });
  return SameTwoModels(reference, FunctionModel::Plain(std::move(compiled)), {}, CheckOptions::Strict());
}

TEST(VaryingResultsTest, WrongNumbersThatAreTheSameEachTimeDoNotVary) {
  const CheckResult result =
      CheckAgainstOnes([](const Inputs&) -> c10::IValue { return One(at::full({4}, 2.0)); });
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_FALSE(result.varies);
  EXPECT_EQ(SignCheck(result).failure->ToString(), "compare: wrong values in outputs[0] (call 1)");
}

// It reads what malloc has left there.
TEST(VaryingResultsTest, ACompilerThatReadsUnwrittenMemoryVaries) {
  const CheckResult result = CheckAgainstOnes(
      [](const Inputs&) -> c10::IValue { return One(at::empty({4}).add(at::full({4}, 7.0))); });
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_TRUE(result.varies);
  EXPECT_EQ(SignCheck(result).failure->ToString(),
            "compare: results that vary from run to run in outputs[0] (call 1)");
}

/// A program that is a new one in every run, and counts its calls.
class Counting : public FunctionModel {
 public:
  Counting() : FunctionModel(FunctionModel::Plain(nullptr)) {}
  std::unique_ptr<Model> Copy() const override { return std::make_unique<Counting>(); }
  c10::IValue Call(std::vector<c10::IValue>&) override { return One(at::full({4}, ++calls_)); }

 private:
  double calls_ = 0;
};

TEST(VaryingResultsTest, WhatDependsOnTheNumberOfTheCallDoesNotVaryFromRunToRun) {
  const FunctionModel reference =
      FunctionModel::Plain([](const Inputs&) -> c10::IValue { return One(at::ones({4})); });
  CheckOptions options = CheckOptions::Strict();
  options.run.calls = 2;
  const CheckResult result = SameTwoModels(reference, Counting(), {}, options);
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_FALSE(result.varies);
}

TEST(VaryingResultsTest, AnOutputThatIsRightMayVary) {
  int calls = 0;
  const FunctionModel reference = FunctionModel::Plain([](const Inputs&) {
    return tests::Tuple({at::ones({4}), at::ones({4})});
  });
  const FunctionModel compiled = FunctionModel::Plain([&](const Inputs&) {
    return tests::Tuple({at::full({4}, 2.0), at::full({4}, ++calls > 1 ? 3.0 : 1.0)});
  });
  EXPECT_FALSE(SameTwoModels(reference, compiled, {}, CheckOptions::Strict()).varies);
}

TEST(VaryingResultsTest, WhatThrowsTheSecondTimeVaries) {
  int calls = 0;
  const CheckResult result = CheckAgainstOnes([&](const Inputs&) {
    if (++calls > 1) throw std::runtime_error("not again");
    return One(at::full({4}, 2.0));
  });
  EXPECT_TRUE(result.varies);
}

}  // namespace
}  // namespace culprit::check
