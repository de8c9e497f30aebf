// SPDX-License-Identifier: Apache-2.0
//
// What revision C mends: small numbers are judged, and fp64 says who is right where something is not finite.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <limits>

#include "compare/rules/tensor_rules.h"

namespace culprit::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Output Judge(const at::Tensor& reference, const at::Tensor& result,
             const std::optional<at::Tensor>& fp64 = std::nullopt, Revision revision = Revision::kC) {
  return JudgeNumbers("", reference, result, fp64, {.equal_nan = true, .revision = revision});
}

at::Tensor Small(double number) {
  return at::full({2000}, number, at::kFloat);
}

TEST(RevisionCTest, SixPercentOfSmallNumbersAreOff) {
  EXPECT_FALSE(Judge(Small(1e-6), Small(1.06e-6)).passes);
  EXPECT_FALSE(Judge(Small(1e-6), Small(1.06e-6), at::full({2000}, 1e-6, at::kDouble)).passes);
  EXPECT_TRUE(Judge(Small(1e-6), Small(1.06e-6), std::nullopt, Revision::kB).passes) << "as in PyTorch";
  EXPECT_TRUE(Judge(Small(1e-6), Small(1.0001e-6)).passes) << "within the tolerance";
}

TEST(RevisionCTest, SmallElementsBesideLargeOnesHaveTheToleranceOfTheLargeOnes) {
  at::Tensor reference = at::ones({100}), result = at::ones({100});
  reference[3] = 1e-6F;
  result[3] = 2e-6F;
  EXPECT_TRUE(Judge(reference, result).passes);
}

TEST(RevisionCTest, LargeNumbersHaveNoMoreToleranceThanBefore) {
  at::Tensor reference = at::full({100}, 1e6F), result = at::full({100}, 1e6F);
  reference[3] = 0;
  result[3] = 1;
  EXPECT_FALSE(Judge(reference, result).passes);
}

TEST(RevisionCTest, TheSmallestToleranceScalesToo) {
  const Output output = Judge(Small(1e-6), Small(1.06e-6));
  EXPECT_NEAR(output.smallest_tolerance.value(), 0.06 / 2.06, 1e-6);
}

TEST(RevisionCTest, WhereTheReferenceIsNanFp64SaysWhatIsRight) {
  const at::Tensor reference = at::tensor({1.0F, kNan}), fp64 = at::tensor({1.0, 5.0}, at::kDouble);
  const Output right = Judge(reference, at::tensor({1.0F, 5.0F}), fp64);
  EXPECT_TRUE(right.passes);
  EXPECT_EQ(right.rule, Rule::kTruth);
  EXPECT_EQ(right.confirmed, 1);
  EXPECT_FALSE(Judge(reference, at::tensor({1.0F, 6.0F}), fp64).passes);
  EXPECT_FALSE(Judge(reference, at::tensor({2.0F, 5.0F}), fp64).passes) << "the other element is off";
}

TEST(RevisionCTest, InfinitiesAndNansThatFp64HasAreRight) {
  for (const float odd : {kNan, kInf, -kInf}) {
    const at::Tensor result = at::tensor({1.0F, odd});
    EXPECT_TRUE(Judge(at::ones({2}), result, result.to(at::kDouble)).passes) << odd;
    EXPECT_FALSE(Judge(at::ones({2}), result, at::ones({2}, at::kDouble)).passes) << odd;
    EXPECT_FALSE(Judge(at::ones({2}), result).passes) << "without fp64 " << odd;
  }
  EXPECT_FALSE(Judge(at::ones({1}), at::tensor({kInf}), at::tensor({-kInf}).to(at::kDouble)).passes);
}

// x * 1e30 * 1e30 - x * 1e31 * 1e29: the difference of two infinities, or of one and a number.
TEST(RevisionCTest, WhereBothHaveOverflowedNobodyIsRight) {
  const at::Tensor infinite = at::tensor({1.0F, kInf}), nan = at::tensor({1.0F, kNan});
  const at::Tensor fp64 = at::ones({2}, at::kDouble);
  EXPECT_TRUE(Judge(nan, infinite, fp64).passes);
  EXPECT_TRUE(Judge(infinite, nan, fp64).passes);
  EXPECT_FALSE(Judge(nan, infinite).passes) << "without fp64";
}

}  // namespace
}  // namespace culprit::compare
