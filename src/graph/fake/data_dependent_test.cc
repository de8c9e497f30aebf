// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/data_dependent.h"

#include <ATen/ops/_pack_padded_sequence.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/index.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/segment_reduce.h>
#include <ATen/ops/unique_consecutive.h>
#include <gtest/gtest.h>

#include <functional>

#include "graph/fake/mode.h"

namespace culprit::graph::fake {
namespace {

std::string RefusedBy(const std::function<void(const at::Tensor&)>& function) {
  World world;
  const Mode mode(world);
  try {
    function(at::ones({3}));
  } catch (const DataDependent& error) {
    EXPECT_NE(std::string(error.what()).find(error.op()), std::string::npos);
    EXPECT_TRUE(world.fallbacks().empty());
    return error.op();
  }
  return "";
}

TEST(DataDependent, SizesThatDependOnNumbersAreRefusedByName) {
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.nonzero(); }), "aten::nonzero");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.masked_select(x.gt(0)); }), "aten::masked_select");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { at::unique_consecutive(x); }), "aten::unique_consecutive");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.to(at::kLong).bincount(); }), "aten::bincount");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) {
              at::_pack_padded_sequence(x.view({3, 1}), x.to(at::kLong), /*batch_first=*/true);
            }),
            "aten::_pack_padded_sequence");
}

TEST(DataDependent, ReadingNumbersIsRefused) {
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x[0].item(); }), "aten::_local_scalar_dense");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.equal(x); }), "aten::equal");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x[0].is_nonzero(); }), "aten::_local_scalar_dense");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { at::allclose(x, x); }), "aten::allclose");
}

TEST(DataDependent, AnOperatorThatFailsOnZerosIsLeftToItsData) {
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { at::segment_reduce(x, "sum", x.to(at::kLong)); }),
            "aten::segment_reduce");
}

TEST(DataDependent, IndexingDependsOnMasksOnly) {
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.index({x.gt(0)}); }), "aten::index.Tensor");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.index({x.to(at::kByte)}); }), "aten::index.Tensor");
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { x.index({x.to(at::kLong)}); }), "");
}

TEST(DataDependent, RepeatsDependUnlessTheirSumIsGiven) {
  EXPECT_EQ(RefusedBy([](const at::Tensor& x) { at::repeat_interleave(x.to(at::kLong)); }),
            "aten::repeat_interleave.Tensor");
  World world;
  const Mode mode(world);
  EXPECT_EQ(at::repeat_interleave(at::ones({3}, at::kLong), c10::make_optional(int64_t{7})).sizes(),
            at::IntArrayRef({7}));
}

}  // namespace
}  // namespace culprit::graph::fake
