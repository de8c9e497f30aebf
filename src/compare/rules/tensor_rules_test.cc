// SPDX-License-Identifier: Apache-2.0
//
// The rules for one tensor, each with its number. What an fp64 reference adds is in
// tensor_rules_fp64_test.cc.
#include "compare/rules/tensor_rules.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace culprit::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Output Judge(const at::Tensor& reference, const at::Tensor& result, const Options& options = {}) {
  return JudgeNumbers("", reference, result, std::nullopt, options);
}

void ExpectVerdict(const Output& output, bool passes, Rule rule) {
  EXPECT_EQ(output.passes, passes);
  EXPECT_EQ(NameOf(output.rule), NameOf(rule));
}

TEST(AllCloseTest, EqualTensorsAreEqual) {
  ExpectVerdict(Judge(at::ones({3}), at::ones({3})), true, Rule::kEqual);
}

TEST(AllCloseTest, TheDefaultToleranceIs1em4) {
  const at::Tensor zero = at::zeros({1}, at::kFloat);
  const Options options{.revision = Revision::kB};
  ExpectVerdict(Judge(zero, at::full({1}, 0.99e-4F), options), true, Rule::kAllClose);
  ExpectVerdict(Judge(zero, at::full({1}, 1.01e-4F), options), false, Rule::kAllClose);
}

// |100 - 111| = 11 <= 0.1 + 0.1 * 111; with the reference in the relative term it would be 10.1.
TEST(AllCloseTest, TheRelativeTermUsesTheResult) {
  EXPECT_TRUE(Judge(at::tensor({100.0F}), at::tensor({111.0F}), {.tolerance = 0.1}).passes);
  EXPECT_FALSE(Judge(at::tensor({111.0F}), at::tensor({100.0F}), {.tolerance = 0.1}).passes);
}

TEST(AllCloseTest, OneElementOutsideIsEnoughToFail) {
  at::Tensor result = at::zeros({100'000});
  result[77'777] = 1;
  const Output output = Judge(at::zeros({100'000}), result);
  ExpectVerdict(output, false, Rule::kAllClose);
  EXPECT_EQ(output.mismatching, 1);
}

TEST(AllCloseTest, Tolerance0MeansEqual) {
  const at::Tensor one = at::ones({1});
  EXPECT_TRUE(Judge(one, one.clone(), {.tolerance = 0}).passes);
  EXPECT_FALSE(Judge(one, one + 0x1p-23F, {.tolerance = 0}).passes);
  const at::Tensor large = at::tensor({int64_t{1} << 60});
  EXPECT_FALSE(Judge(large, large + 1, {.tolerance = 0}).passes);
}

TEST(AllCloseTest, NanEqualsNanIfAsked) {
  const at::Tensor nan = at::tensor({kNan, 1.0F});
  EXPECT_FALSE(Judge(nan, nan.clone()).passes);
  EXPECT_TRUE(Judge(nan, nan.clone(), {.equal_nan = true}).passes);
  EXPECT_FALSE(Judge(nan, at::ones({2}), {.equal_nan = true}).passes);
}

TEST(AllCloseTest, IntegersHaveTheSameTolerance) {
  EXPECT_TRUE(Judge(at::tensor({20'000}), at::tensor({20'001})).passes);
  EXPECT_FALSE(Judge(at::tensor({2}), at::tensor({3})).passes);
}

// The dtype decides, not the presence of an fp64 reference: PyTorch lets every float mismatch pass here.
TEST(IgnoreNonFloatTest, PardonsIntegersAndNeverFloats) {
  const Options options{.ignore_non_float = true};
  ExpectVerdict(Judge(at::tensor({2}), at::tensor({3}), options), true, Rule::kIgnored);
  ExpectVerdict(Judge(at::ones({1}, at::kBool), at::zeros({1}, at::kBool), options), true, Rule::kIgnored);
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kComplexFloat})
    EXPECT_FALSE(Judge(at::ones({1}, dtype), at::zeros({1}, dtype), options).passes) << dtype;
}

TEST(MaskTest, OneFlippedBitOf1024FailsAndPassesWithIou) {
  const at::Tensor reference = at::ones({1024}, at::kBool);
  at::Tensor result = reference.clone();
  result[100] = false;
  ExpectVerdict(Judge(reference, result), false, Rule::kAllClose);
  const Output output = Judge(reference, result, {.iou_for_bool = true});
  ExpectVerdict(output, true, Rule::kIou);
  EXPECT_DOUBLE_EQ(output.iou.value(), 1023.0 / 1024);
}

TEST(MaskTest, TheThresholdIs099) {
  const at::Tensor reference = at::ones({100}, at::kBool);
  at::Tensor result = reference.clone();
  result[0] = false;
  EXPECT_TRUE(Judge(reference, result, {.iou_for_bool = true}).passes);
  result[1] = false;
  EXPECT_FALSE(Judge(reference, result, {.iou_for_bool = true}).passes);
  EXPECT_TRUE(Judge(reference, result, {.iou_for_bool = true, .iou_threshold = 0.98}).passes);
}

TEST(MaskTest, IouCountsTrueOnly) {
  const at::Tensor reference = at::zeros({1000}, at::kBool);
  at::Tensor result = reference.clone();
  EXPECT_TRUE(Judge(reference, result, {.iou_for_bool = true}).passes) << "an empty union";
  result[0] = true;
  EXPECT_EQ(Judge(reference, result, {.iou_for_bool = true}).iou, 0);
}

// As PyTorch: masks are compared as bytes, with the tolerance.
TEST(MaskTest, BytesAreComparedWithTheTolerance) {
  EXPECT_TRUE(Judge(at::ones({1}, at::kBool), at::zeros({1}, at::kBool), {.tolerance = 1}).passes);
  EXPECT_FALSE(Judge(at::ones({1}, at::kBool), at::zeros({1}, at::kBool), {.tolerance = 0.9}).passes);
}

TEST(CosineTest, PassesFrom099On) {
  // The cosine between (1, 0) and (cos a, sin a) is cos a.
  const auto at_angle = [](double cosine) {
    return at::tensor({static_cast<float>(cosine), static_cast<float>(std::sqrt(1 - cosine * cosine))});
  };
  const Options options{.cosine_similarity = true};
  const Output near = Judge(at::tensor({1.0F, 0.0F}), at_angle(0.9901), options);
  ExpectVerdict(near, true, Rule::kCosine);
  EXPECT_NEAR(near.cosine.value(), 0.9901, 1e-6);
  ExpectVerdict(Judge(at::tensor({1.0F, 0.0F}), at_angle(0.9899), options), false, Rule::kCosine);
}

TEST(CosineTest, IsNotAskedWhatIsClose) {
  const Options options{.cosine_similarity = true, .revision = Revision::kB};
  ExpectVerdict(Judge(at::zeros({2}), at::full({2}, 1e-5F), options), true, Rule::kAllClose);
  ExpectVerdict(Judge(at::tensor({kNan, 1.0F}), at::tensor({kNan, 1.0F}), options), true, Rule::kEqual);
}

TEST(CosineTest, LengthsBelow1em6CountAs1em6) {
  const Options options{.tolerance = 0, .cosine_similarity = true};
  const Output output = Judge(at::tensor({5e-7}), at::tensor({1.0}), options);
  EXPECT_DOUBLE_EQ(output.cosine.value(), 0.5);
}

TEST(CosineTest, NanOnOneSideFails) {
  EXPECT_FALSE(Judge(at::tensor({1.0F, 1.0F}), at::tensor({1.0F, kNan}), {.cosine_similarity = true}).passes);
}

TEST(CosineTest, IsFinalEvenWithAnFp64Reference) {
  const Output output = JudgeNumbers("", at::tensor({1.0F, 0.0F}), at::tensor({0.0F, 1.0F}),
                                     at::tensor({0.5, 0.5}), {.cosine_similarity = true});
  ExpectVerdict(output, false, Rule::kCosine);
}

TEST(DtypeTest, WithoutExactDtypeTheReferenceIsCastToTheResult) {
  const Options options{.tolerance = 0, .exact_dtype = false};
  const at::Tensor third = at::full({1}, 1.0 / 3, at::kDouble);
  EXPECT_TRUE(Judge(third, third.to(at::kHalf), options).passes);
  EXPECT_FALSE(Judge(third.to(at::kHalf), third, options).passes);
}

TEST(NumbersTest, EveryDtypeIsCompared) {
  for (const at::ScalarType dtype :
       {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16,
        at::kFloat, at::kDouble, at::kComplexHalf, at::kComplexFloat, at::kComplexDouble}) {
    const at::Tensor reference = at::tensor({0, 1, 1}).to(dtype);
    const Output same = Judge(reference, at::tensor({0, 1, 1}).to(dtype));
    ExpectVerdict(same, true, Rule::kEqual);
    const Output other = Judge(reference, at::tensor({0, 1, 0}).to(dtype));
    EXPECT_FALSE(other.passes) << dtype;
    EXPECT_EQ(other.mismatching, 1) << dtype;
    EXPECT_EQ(other.max_abs, 1) << dtype;
    EXPECT_EQ(other.detail.value().worst.value().index, (std::vector<int64_t>{2})) << dtype;
  }
}

TEST(NumbersTest, SparseTensorsAreComparedAsDenseOnes) {
  const at::Tensor dense = at::arange(6, at::kFloat).view({2, 3});
  ExpectVerdict(Judge(dense.to_sparse(), dense.to_sparse()), true, Rule::kEqual);
  const Output other = Judge(dense.to_sparse(), (dense * 2).to_sparse());
  EXPECT_FALSE(other.passes);
  EXPECT_EQ(other.detail.value().worst.value().index, (std::vector<int64_t>{1, 2}));
  ExpectVerdict(Judge(dense.to_sparse_csr(), dense.to_sparse_csr()), true, Rule::kEqual);
}

TEST(NumbersTest, TheDenseFormOfASparseFp64ReferenceIsUsed) {
  const at::Tensor ones = at::ones({100});
  const at::Tensor truth = at::zeros({100}, at::kDouble).to_sparse();
  const Output output = JudgeNumbers("", ones.to_sparse(), (ones * 2).to_sparse(), truth, {});
  ExpectVerdict(output, true, Rule::kFp64);
  EXPECT_EQ(output.rmse_reference_fp64, 1);
}

TEST(NumbersTest, ATensorWithoutElementsIsEqual) {
  ExpectVerdict(Judge(at::zeros({0, 3}), at::zeros({0, 3})), true, Rule::kEqual);
}

TEST(NumbersTest, AnyStridesAreCompared) {
  const at::Tensor base = at::arange(12, at::kFloat).view({3, 4});
  ExpectVerdict(Judge(base.t(), base.t().contiguous()), true, Rule::kEqual);
  ExpectVerdict(Judge(base.select(1, 0).unsqueeze(1).expand({3, 4}), base.slice(1, 0, 1).repeat({1, 4})),
                true, Rule::kEqual);
}

}  // namespace
}  // namespace culprit::compare
