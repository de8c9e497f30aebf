// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_operands.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

using testing::ElementsAre;

TEST(OperandsTest, ReadsTheThreeSideBySide) {
  const ElementOperands operands(at::tensor({1.0F, 2.0F}), at::tensor({3.0F, 4.0F}), at::tensor({5.0, 6.0}));
  BlockBuffers buffers;
  const Block block = operands.Read(1, 1, buffers);
  EXPECT_EQ(block.reference[0], 2);
  EXPECT_EQ(block.result[0], 4);
  EXPECT_EQ(block.fp64[0], 6);
}

TEST(OperandsTest, TheReferenceStandsInForFp64) {
  const ElementOperands operands(at::tensor({1.0F}), at::tensor({3.0F}), std::nullopt);
  BlockBuffers buffers;
  EXPECT_EQ(operands.Read(0, 1, buffers).fp64[0], 1);
  EXPECT_FALSE(operands.has_fp64());
}

TEST(OperandsTest, ChannelsLastIsReadInTheOrderOfMemory) {
  const at::Tensor reference =
      at::arange(24, at::kFloat).view({1, 3, 2, 4}).contiguous(at::MemoryFormat::ChannelsLast);
  const ElementOperands operands(reference, reference.clone(), std::nullopt);
  ASSERT_NE(operands.reference().Contiguous<float>(), nullptr);
  for (const int64_t element : {0, 5, 23}) {
    const std::vector<int64_t> index = operands.IndexOf(element);
    ASSERT_EQ(index.size(), 4);
    EXPECT_EQ(reference[index[0]][index[1]][index[2]][index[3]].item<float>(),
              operands.reference().Contiguous<float>()[element]);
  }
}

TEST(OperandsTest, ANumberHasAnEmptyIndex) {
  EXPECT_THAT(ElementOperands(at::zeros({}), at::zeros({}), std::nullopt).IndexOf(0), ElementsAre());
}

TEST(OperandsTest, DifferentLargeIntegersStayDifferent) {
  for (const int64_t large : {(int64_t{1} << 60) + 1, int64_t{-100}}) {
    const at::ScalarType dtype = large > 0 ? at::kLong : at::kUInt64;
    const ElementOperands operands(at::tensor({large, large, large}).view(dtype),
                                   at::tensor({large + 1, large, large - 1}).view(dtype), std::nullopt);
    BlockBuffers buffers;
    const Block block = operands.Read(0, 3, buffers);
    EXPECT_LT(block.reference[0], block.result[0]);
    EXPECT_EQ(block.reference[1], block.result[1]);
    EXPECT_GT(block.reference[2], block.result[2]);
  }
}

struct Ranges {
  std::vector<std::pair<int64_t, int64_t>> ranges;

  void Add(const Ranges& other) { ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end()); }
};

TEST(FoldPiecesTest, PutsThePiecesTogetherInOrder) {
  const int64_t elements = 300 * kBlockElements + 1;
  const auto whole = FoldPieces<Ranges>(elements, [](int64_t begin, int64_t end) {
    return Ranges{{{begin, end}}};
  });
  int64_t next = 0;
  for (const auto& [begin, end] : whole.ranges) {
    EXPECT_EQ(begin, next);
    next = end;
  }
  EXPECT_EQ(next, elements);
  EXPECT_GT(whole.ranges.size(), 2);
}

TEST(FoldPiecesTest, NothingFoldsToNothing) {
  EXPECT_TRUE(FoldPieces<Ranges>(0, [](int64_t, int64_t) { return Ranges{{{0, 0}}}; }).ranges.empty());
}

}  // namespace
}  // namespace culprit::compare
