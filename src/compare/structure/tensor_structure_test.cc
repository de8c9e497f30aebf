// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/tensor_structure.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "kind: message", with a star if the numbers do not correspond.
std::vector<std::string> Lines(const at::Tensor& reference, const at::Tensor& result,
                               const Options& options = {}) {
  const StructureReport report = CompareStructure("", reference, result, options);
  std::vector<std::string> lines;
  for (const Mismatch& mismatch : report.mismatches)
    lines.push_back(fmt::format("{}{}: {}", report.numbers_correspond ? "" : "*", NameOf(mismatch.kind),
                                mismatch.message));
  return lines;
}

TEST(CompareStructureTest, EqualStructuresHaveNoMismatch) {
  EXPECT_THAT(Lines(at::zeros({2, 3}), at::ones({2, 3})), IsEmpty());
}

// PyTorch broadcasts one against the other.
TEST(CompareStructureTest, ShapesMustBeTheSame) {
  EXPECT_THAT(Lines(at::zeros({2, 1}), at::zeros({2, 3})),
              ElementsAre("*shape: [2, 1] in the reference, [2, 3] in the result"));
  EXPECT_THAT(Lines(at::zeros({1}), at::zeros({})),
              ElementsAre("*shape: [1] in the reference, [] in the result"));
}

TEST(CompareStructureTest, DtypesMustBeTheSameIfExact) {
  const at::Tensor reference = at::zeros({1}, at::kFloat);
  const at::Tensor result = at::zeros({1}, at::kHalf);
  EXPECT_THAT(Lines(reference, result), ElementsAre("*dtype: Float in the reference, Half in the result"));
  EXPECT_THAT(Lines(reference, result, {.exact_dtype = false}), IsEmpty());
  EXPECT_THAT(Lines(reference, at::zeros({1}, at::kComplexFloat), {.exact_dtype = false}),
              ElementsAre("*dtype: Float in the reference, ComplexFloat in the result"));
}

TEST(CompareStructureTest, LayoutsMustBeTheSame) {
  EXPECT_THAT(Lines(at::ones({2}).to_sparse(), at::ones({2})),
              ElementsAre("*layout: Sparse in the reference, Strided in the result"));
}

TEST(CompareStructureTest, RequiresGradIsCompared) {
  const at::Tensor reference = at::zeros({1}).requires_grad_(true);
  EXPECT_THAT(Lines(reference, at::zeros({1})),
              ElementsAre("requires_grad: yes in the reference, no in the result"));
  EXPECT_THAT(Lines(reference, at::zeros({1}), {.compare_requires_grad = false}), IsEmpty());
}

TEST(CompareStructureTest, StridesAreComparedIfAsked) {
  const at::Tensor columns = at::zeros({3, 2}).t();
  EXPECT_THAT(Lines(at::zeros({2, 3}), columns), IsEmpty());
  EXPECT_THAT(Lines(at::zeros({2, 3}), columns, {.compare_strides = true}),
              ElementsAre("strides: [3, 1] in the reference, [1, 2] in the result"));
  EXPECT_THAT(Lines(at::zeros({1, 3}), at::zeros({3, 1}).t(), {.compare_strides = true}), IsEmpty());
}

TEST(CompareStructureTest, QuantisersMustBeTheSame) {
  const at::Tensor numbers = at::ones({2, 2});
  const auto quantized = [&](double scale, int64_t zero) {
    return at::quantize_per_tensor(numbers, scale, zero, at::kQUInt8);
  };
  EXPECT_THAT(Lines(quantized(0.5, 3), quantized(0.5, 3)), IsEmpty());
  EXPECT_THAT(
      Lines(quantized(0.5, 3), quantized(0.25, 4)),
      ElementsAre("quantizer: scale 0.5 and zero point 3 in the reference, scale 0.25 and zero point 4 "
                  "in the result"));
}

TEST(CompareStructureTest, QuantisersPerChannelAreComparedChannelByChannel) {
  const auto quantized = [](const std::vector<double>& scales, int64_t axis) {
    return at::quantize_per_channel(at::ones({2, 2}), at::tensor(scales), at::tensor({0, 0}), axis,
                                    at::kQInt8);
  };
  EXPECT_THAT(Lines(quantized({0.5, 1}, 0), quantized({0.5, 1}, 0)), IsEmpty());
  EXPECT_THAT(Lines(quantized({0.5, 1}, 0), quantized({0.5, 2}, 0)),
              ElementsAre("quantizer: scale of channel 1: 1 in the reference, 2 in the result"));
  EXPECT_THAT(Lines(quantized({0.5, 1}, 0), quantized({0.5, 1}, 1)),
              ElementsAre("quantizer: axis 0 in the reference, axis 1 in the result"));
}

TEST(CompareStructureTest, TensorsWithoutNumbersAreNamed) {
  EXPECT_THAT(Lines(at::zeros({2}), at::empty({2}, at::TensorOptions().device(at::kMeta))),
              ElementsAre("*no data: the result is on device meta, which holds no numbers"));
}

TEST(DenseTest, KeepsTheNumbers) {
  const at::Tensor numbers = at::arange(6, at::kFloat).view({2, 3});
  EXPECT_TRUE(Dense(numbers.to_sparse()).equal(numbers));
  EXPECT_TRUE(Dense(numbers.to_sparse_csr()).equal(numbers));
  EXPECT_TRUE(Dense(at::quantize_per_tensor(numbers, 1, 0, at::kQInt8)).equal(numbers));
  EXPECT_EQ(Dense(numbers).data_ptr(), numbers.data_ptr());
}

}  // namespace
}  // namespace culprit::compare
