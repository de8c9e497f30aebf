// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/draw_in_range.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "graph/inputs/make_inputs.h"

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;

at::Tensor DrawnAs(const std::optional<InputRange>& range, at::ScalarType dtype, int64_t count) {
  const int64_t bytes = count * static_cast<int64_t>(c10::elementSize(dtype));
  return MakeContents(DrawInRange(range, dtype, count, /*seed=*/1), bytes, nullptr)->view(dtype);
}

TEST(DrawInRange, IndicesCoverTheRange) {
  const at::Tensor indices = DrawnAs(InputRange{Kind::kBelow, 10}, at::kLong, 1000);
  EXPECT_EQ(indices.min().item<int64_t>(), 0);
  EXPECT_EQ(indices.max().item<int64_t>(), 9);
}

TEST(DrawInRange, IndicesFitTheirDtype) {
  EXPECT_LE(DrawnAs(InputRange{Kind::kBelow, 1000000}, at::kShort, 1000).max().item<int64_t>(), INT16_MAX);
  EXPECT_GT(DrawnAs(InputRange{Kind::kBelow, 200}, at::kByte, 1000).max().item<int64_t>(), 150);
  const at::Tensor unsigned_numbers =
      DrawnAs(InputRange{Kind::kBelow, 1000000}, at::kUInt16, 1000).to(at::kLong);
  EXPECT_GT(unsigned_numbers.max().item<int64_t>(), INT16_MAX);
  EXPECT_LE(unsigned_numbers.max().item<int64_t>(), UINT16_MAX);
}

TEST(DrawInRange, NumbersOfEightBitsAreNeitherLargeNorSmall) {
  for (const at::ScalarType dtype : {at::kFloat8_e5m2, at::kFloat8_e4m3fn, at::kFloat8_e5m2fnuz,
                                     at::kFloat8_e4m3fnuz, at::kFloat8_e8m0fnu}) {
    const at::Tensor numbers = DrawnAs(std::nullopt, dtype, 1000).to(at::kFloat);
    EXPECT_GE(numbers.min().item<float>(), 0.0625F) << dtype;
    EXPECT_GT(numbers.max().item<float>(), numbers.min().item<float>()) << dtype;
    EXPECT_LE(numbers.max().item<float>(), 2.0F) << dtype;
  }
}

TEST(DrawInRange, DtypesWithoutNumbersAreBytes) {
  for (const at::ScalarType dtype : {at::kFloat4_e2m1fn_x2, at::ScalarType::Bits16, at::ScalarType::UInt4})
    EXPECT_EQ(DrawnAs(std::nullopt, dtype, 10).numel(), 10) << dtype;
}

TEST(DrawInRange, PositiveNumbersAreNeverZeroNotEvenInSmallDtypes) {
  for (const at::ScalarType dtype : {at::kBFloat16, at::kHalf, at::kFloat, at::kDouble, at::kInt, at::kChar})
    EXPECT_TRUE(DrawnAs(InputRange{Kind::kPositive}, dtype, 20000).gt(0).all().item<bool>()) << dtype;
}

TEST(DrawInRange, RepeatsSumToTheBound) {
  const at::Tensor parts = DrawnAs(InputRange{Kind::kSumsTo, 7}, at::kLong, 3);
  EXPECT_EQ(parts[0].item<int64_t>(), 3);
  EXPECT_EQ(parts.sum().item<int64_t>(), 7);
  EXPECT_EQ(DrawnAs(InputRange{Kind::kSumsTo, 7}, at::kUInt32, 3).to(at::kLong).sum().item<int64_t>(), 7);
}

TEST(DrawInRange, MasksHaveSoManyTruesAndSpreadThem) {
  const at::Tensor mask = DrawnAs(InputRange{Kind::kTrues, 4}, at::kBool, 10);
  EXPECT_TRUE(mask.equal(at::tensor({0, 0, 1, 0, 1, 0, 0, 1, 0, 1}, at::kLong).to(at::kBool))) << mask;
  for (const int64_t trues : {0, 1, 999, 1000})
    EXPECT_EQ(DrawnAs(InputRange{Kind::kTrues, trues}, at::kByte, 1000).sum().item<int64_t>(), trues);
  EXPECT_EQ(DrawnAs(InputRange{Kind::kTrues, 5}, at::kBool, 3).sum().item<int64_t>(), 3);
}

TEST(DrawInRange, PlacesThatAreWrittenToAreNotThereTwice) {
  const at::Tensor rows = DrawnAs(InputRange{Kind::kBelow, 4, /*every=*/3}, at::kInt, 12);
  EXPECT_TRUE(rows.equal(at::tensor({0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, at::kInt))) << rows;
  EXPECT_TRUE(DrawnAs(InputRange{Kind::kBelow, 3, /*every=*/1}, at::kLong, 5)
                  .equal(at::tensor({0, 1, 2, 0, 1}, at::kLong)));
}

TEST(DrawInRange, WhatNobodyReadsIsZero) {
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16, at::kLong, at::kBool})
    EXPECT_FALSE(DrawnAs(InputRange{Kind::kUnused}, dtype, 100).any().item<bool>()) << dtype;
}

TEST(DrawUnknown, KnownContentsStay) {
  InputSpecs specs{.storages = {{.bytes = 8, .contents = StoredBytes{"h"}}},
                   .inputs = {TensorSpec{.sizes = {1}, .strides = {1}, .dtype = at::kLong}}};
  const InputSpecs before = specs;
  DrawUnknown(specs, {InputRange{Kind::kBelow, 10}}, 1);
  EXPECT_EQ(specs, before);
}

TEST(DrawUnknown, TheSmallestRangeOfTheTensorsOnAStorageHolds) {
  const TensorSpec tensor{.sizes = {1000}, .strides = {1}, .dtype = at::kLong};
  InputSpecs specs{.storages = {{.bytes = 8000}}, .inputs = {tensor, tensor}};
  DrawUnknown(specs, {InputRange{Kind::kBelow, 10}, InputRange{Kind::kBelow, 5}}, 1);
  EXPECT_EQ(MakeInputs(specs)->values[0].toTensor().max().item<int64_t>(), 4);
}

SparseCoo SparseOf(std::vector<int64_t> sizes, int64_t count) {
  const int64_t dims = static_cast<int64_t>(sizes.size());
  return {.indices = {.storage = 0, .sizes = {dims, count}, .strides = {count, 1}, .dtype = at::kLong},
          .values = {.storage = 1, .sizes = {count}, .strides = {1}},
          .sizes = std::move(sizes),
          .is_coalesced = true};
}

TEST(DrawUnknown, TheIndicesOfSparseTensorsAscend) {
  InputSpecs specs{.storages = {{.bytes = int64_t{2} * 5 * 8}, {.bytes = int64_t{5} * 4}},
                   .inputs = {SparseOf({4, 3}, 5)}};
  const auto made = MakeInputs(specs);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const at::Tensor sparse = made->values[0].toTensor();
  EXPECT_TRUE(sparse.is_coalesced());
  EXPECT_EQ(sparse._nnz(), 5);
  EXPECT_GT(sparse._indices().max().item<int64_t>(), 1);
}

TEST(DrawUnknown, SparseTensorsThatCannotBeAreLeftForTheCheck) {
  SparseCoo empty = SparseOf({0, 3}, 5);
  InputSpecs specs{.storages = {{.bytes = 80}, {.bytes = 20}}, .inputs = {empty}};
  EXPECT_FALSE(MakeInputs(specs).ok());
  SparseCoo flat = SparseOf({4, 3}, 5);
  flat.indices.sizes = {10};
  flat.indices.strides = {1};
  specs.inputs = {flat};
  EXPECT_FALSE(MakeInputs(specs).ok());
  SparseCoo deep = SparseOf({4, 3}, 5);
  deep.sizes = {4};
  specs.inputs = {deep};
  EXPECT_FALSE(MakeInputs(specs).ok());
}

TEST(DrawUnknown, ScalesOfQuantisedTensorsArePositive) {
  const TensorSpec channels{.storage = 1, .sizes = {3}, .strides = {1}, .dtype = at::kDouble};
  TensorSpec zero_points = channels;
  zero_points.storage = 2;
  zero_points.dtype = at::kLong;
  const InputSpecs specs{
      .storages = {{.bytes = 6}, {.bytes = 24}, {.bytes = 24}},
      .inputs = {QuantisedPerChannel{{.sizes = {3, 2}, .strides = {2, 1}, .dtype = at::kQInt8},
                                     channels,
                                     zero_points,
                                     /*axis=*/0}}};
  const auto made = MakeInputs(specs);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_TRUE(made->values[0].toTensor().q_per_channel_scales().gt(0).all().item<bool>());
}

}  // namespace
}  // namespace culprit::graph::inputs
