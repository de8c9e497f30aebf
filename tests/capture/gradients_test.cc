// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class GradientsTest : public testing::Test {
 protected:
  std::vector<Fact> Of(const c10::IValue& result, Backward way) {
    return Gradients({result, {x_, y_}, {}, Leaves({x_, y_}, {})}, way);
  }

  at::Tensor x_ = at::ones({2}).requires_grad_(true);
  at::Tensor y_ = at::ones({2}).requires_grad_(true);
};

TEST_F(GradientsTest, SumGoesBackFromAllOutputs) {
  EXPECT_THAT(
      Of(Tuple({x_ * 2, x_ * 3}), Backward::kSum),
      ElementsAre(Pair("gradient of input 0", HasSubstr("= 5 5")), Pair("gradient of input 1", "none")));
}

TEST_F(GradientsTest, FirstLeavesTheOthersOut) {
  EXPECT_THAT(
      Of(Tuple({x_ * 2, y_ * 3}), Backward::kFirst),
      ElementsAre(Pair("gradient of input 0", HasSubstr("= 2 2")), Pair("gradient of input 1", "none")));
}

TEST_F(GradientsTest, TangentsTellOutputsApartWhoseSumsAreTheSame) {
  EXPECT_EQ(Of(x_ * 2, Backward::kSum), Of((x_ * 2).flip(0), Backward::kSum));
  EXPECT_NE(Of(x_ * 2, Backward::kTangents), Of((x_ * 2).flip(0), Backward::kTangents));
}

TEST_F(GradientsTest, TwiceAccumulatesAndTheThirdTimeFails) {
  EXPECT_THAT(
      Of(x_ * x_, Backward::kTwice),
      ElementsAre(Pair("gradient of input 0", HasSubstr("= 2 2")), Pair("gradient of input 1", "none"),
                  Pair("gradient of input 0", HasSubstr("= 4 4")), Pair("gradient of input 1", "none"),
                  Pair("backward", HasSubstr("second time")), Pair("gradient of input 0", HasSubstr("= 4 4")),
                  Pair("gradient of input 1", "none")));
}

TEST_F(GradientsTest, WritingOutputsShowsWhetherBackwardNeedsThem) {
  EXPECT_THAT(Of(x_.exp(), Backward::kAfterWritingOutputs)[0],
              Pair("backward", HasSubstr("which is an output of a node, is at version 1")));
  EXPECT_THAT(Of(x_.sin(), Backward::kAfterWritingOutputs)[0],
              Pair("gradient of input 0", HasSubstr("Float")));
}

TEST_F(GradientsTest, WritingInputsShowsWhetherBackwardNeedsThem) {
  EXPECT_THAT(Of(x_.sin(), Backward::kAfterWritingInputs)[0],
              Pair("backward", HasSubstr("modified by an inplace operation")));
  EXPECT_THAT(Of(x_ * 2, Backward::kAfterWritingInputs)[0], Pair("gradient of input 0", HasSubstr("Float")));
}

TEST_F(GradientsTest, RefusedWritesAreFacts) {
  EXPECT_THAT(Of(x_.t(), Backward::kAfterWritingOutputs)[0],
              Pair("writing an output", HasSubstr("a view of a leaf Variable")));
}

TEST_F(GradientsTest, WrittenInputsAreWaysBack) {
  const at::Tensor plain = at::ones({2});
  plain.mul_(x_);
  const std::vector<Fact> facts = Gradients({c10::IValue(), {plain}, {}, Leaves({x_}, {})}, Backward::kSum);
  EXPECT_THAT(facts, ElementsAre(Pair("gradient of input 0", HasSubstr("= 1 1"))));
}

TEST_F(GradientsTest, ComplexOutputsHaveGradientsToo) {
  const at::Tensor z = at::tensor({c10::complex<float>(1, 2)}).requires_grad_(true);
  const std::vector<Fact> facts = Gradients({z * z, {z}, {}, Leaves({z}, {})}, Backward::kTangents);
  EXPECT_THAT(facts, ElementsAre(Pair("gradient of input 0", HasSubstr("ComplexFloat"))));
}

TEST_F(GradientsTest, ComputedInputsHaveAHistoryAndKeepTheirIdentity) {
  const FormedInputs formed = FormInputs({x_, x_, at::ones({2}), 3}, InputForm::kComputed);
  EXPECT_FALSE(formed.values[0].toTensor().is_leaf());
  EXPECT_TRUE(formed.values[0].is(formed.values[1]));
  EXPECT_FALSE(formed.values[2].toTensor().requires_grad());
  EXPECT_EQ(formed.values[3].toInt(), 3);
}

TEST_F(GradientsTest, ViewsLieInTheMemoryOfTheirBases) {
  const FormedInputs formed = FormInputs({x_}, InputForm::kViews);
  ASSERT_EQ(formed.bases.size(), 1u);
  formed.values[0].toTensor().mul_(2);
  EXPECT_EQ(formed.bases[0].sum().item<float>(), 8);
  const std::vector<Fact> facts =
      Gradients({c10::IValue(), {}, formed.bases, Leaves({x_}, {})}, Backward::kSum);
  EXPECT_THAT(facts, ElementsAre(Pair("gradient of input 0", HasSubstr("= 4 4"))));
}

}  // namespace
}  // namespace culprit::tests
