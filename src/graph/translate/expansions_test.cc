// SPDX-License-Identifier: Apache-2.0
#include "graph/translate/expansions.h"

#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_emitter.h"

namespace culprit::graph::translate {
namespace {

using testing::ElementsAre;

Argument Ints(const std::vector<int64_t>& ints) {
  return Argument::Ints(ints);
}

class Expansions : public testing::Test {
 protected:
  std::vector<at::Tensor> Run(Expansion expand, std::vector<Argument> arguments) {
    return Tensors(expand({.positional = std::move(arguments), .keyword = {}}, emitter_).value());
  }

  std::vector<at::Tensor> Tensors(const std::vector<Argument>& results) {
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : emitter_.Run(results)) {
      tensors.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    }
    return tensors;
  }

  GraphEmitter emitter_;
};

using SqueezeDims = Expansions;

TEST_F(SqueezeDims, CountedFromTheFront) {
  const Argument x = emitter_.Input(at::randn({1, 3, 1, 1, 2}));
  EXPECT_THAT(Run(ExpandSqueezeDims, {x, Ints({0, 2, 3})})[0].sizes(), ElementsAre(3, 2));
}

TEST_F(SqueezeDims, CountedFromTheBack) {
  const Argument x = emitter_.Input(at::randn({1, 3, 1, 1, 2}));
  EXPECT_THAT(Run(ExpandSqueezeDims, {x, Ints({-3, -2})})[0].sizes(), ElementsAre(1, 3, 2));
}

TEST_F(SqueezeDims, DimensionsOfAnotherSizeStay) {
  const Argument x = emitter_.Input(at::randn({1, 3, 1}));
  EXPECT_THAT(Run(ExpandSqueezeDims, {x, Ints({0, 1})})[0].sizes(), ElementsAre(3, 1));
}

TEST_F(SqueezeDims, CountedFromBothSides) {
  const Argument x = emitter_.Input(at::randn({1, 1, 3, 1, 2, 1}));
  EXPECT_THAT(Run(ExpandSqueezeDims, {x, Ints({0, -1})})[0].sizes(), ElementsAre(1, 3, 1, 2));
  EXPECT_THAT(Run(ExpandSqueezeDims, {x, Ints({-1, 1, 0, -3})})[0].sizes(), ElementsAre(3, 2));
  const Argument y = emitter_.Input(at::randn({1, 1}));
  EXPECT_THAT(Run(ExpandSqueezeDims, {y, Ints({0, -1})})[0].sizes(), ElementsAre());
}

// [1, -2] is [1, 0] of two dimensions, and [1, 2] of four.
TEST_F(SqueezeDims, AnOrderThatDependsOnTheRankIsRefused) {
  const Argument x = emitter_.Input(at::randn({1, 3, 1}));
  const auto result = ExpandSqueezeDims({.positional = {x, Ints({1, -2})}, .keyword = {}}, emitter_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "the order of dimensions [1, -2] depends on the rank of the tensor, which is not known here");
}

using EmptyPermuted = Expansions;

TEST_F(EmptyPermuted, HasTheStridesOfThePhysicalLayout) {
  const Argument none;
  const at::Tensor y =
      Run(ExpandEmptyPermuted, {Ints({2, 3, 4, 5}), Ints({0, 2, 3, 1}), none, none, none, none})[0];
  EXPECT_THAT(y.sizes(), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(y.strides(), ElementsAre(60, 1, 15, 3));
}

TEST_F(EmptyPermuted, RefusesWhatIsNoPermutation) {
  const Argument none;
  const auto result = ExpandEmptyPermuted(
      {.positional = {Ints({2, 3}), Ints({1, 1}), none, none, none, none}, .keyword = {}}, emitter_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "[1, 1] is not a permutation");
}

TEST_F(Expansions, BroadcastInDimPlacesTheDimensions) {
  const at::Tensor x = at::randn({2, 3});
  const at::Tensor y = Run(ExpandBroadcastInDim, {emitter_.Input(x), Ints({2, 5, 3, 4}), Ints({0, 2})})[0];
  EXPECT_TRUE(y.equal(x.view({2, 1, 3, 1}).expand({2, 5, 3, 4})));
}

using MaskedIndexing = Expansions;

TEST_F(MaskedIndexing, ReadsTheFillWhereTheMaskIsFalse) {
  const at::Tensor x = at::randn({4, 5});
  const at::Tensor mask = at::tensor({1, 0, 1}).to(at::kBool);
  const Argument index = emitter_.Input(at::tensor({4, 1000, -1}, at::kLong));
  const at::Tensor y =
      Run(ExpandMaskedIndex, {emitter_.Input(x), emitter_.Input(mask),
                              Argument(Argument::List{Argument(), index}), Constant(7.0)})[0];
  EXPECT_TRUE(y.select(1, 0).equal(x.select(1, 4)));
  EXPECT_TRUE(y.select(1, 1).eq(7.0).all().item<bool>());
  EXPECT_TRUE(y.select(1, 2).equal(x.select(1, 4)));
}

TEST_F(MaskedIndexing, AddsNothingWhereTheMaskIsFalse) {
  const at::Tensor x = at::randn({5});
  const at::Tensor mask = at::tensor({1, 0, 1}).to(at::kBool);
  const Argument index = emitter_.Input(at::tensor({2, -1000, 2}, at::kLong));
  const at::Tensor values = at::randn({3});
  const at::Tensor y = Run(
      ExpandMaskedIndexPut,
      {emitter_.Input(x), emitter_.Input(mask), Argument(Argument::List{index}), emitter_.Input(values)})[0];
  at::Tensor expected = x.clone();
  expected.select(0, 2).add_(values.select(0, 0)).add_(values.select(0, 2));
  EXPECT_TRUE(y.allclose(expected));
}

using MaxPool = Expansions;

TEST_F(MaxPool, OffsetsAreSmallAndComeBackAsIndices) {
  const Argument x = emitter_.Input(at::randn({2, 3, 9, 8}));
  const std::vector<Argument> windows = {Ints({2, 1}), Ints({1, 1}), Ints({1, 2})};
  const auto pooled = ExpandMaxPoolWithOffsets(
      {.positional = {x, Ints({3, 3}), windows[0], windows[1], windows[2], Constant(true)}, .keyword = {}},
      emitter_);
  const Argument offsets = (*pooled)[1];
  const at::Tensor small = Tensors({offsets})[0];
  EXPECT_EQ(small.scalar_type(), at::kChar);
  EXPECT_GE(small.min().item<int64_t>(), 0);
  EXPECT_LT(small.max().item<int64_t>(), 9);

  const auto own = emitter_.Emit(
      "aten::max_pool2d_with_indices",
      {.positional = {x, Ints({3, 3}), windows[0], windows[1], windows[2], Constant(true)}, .keyword = {}});
  const at::Tensor indices = Tensors({(*own)[1]})[0];
  EXPECT_TRUE(Tensors({(*pooled)[0]})[0].equal(Tensors({(*own)[0]})[0]));
  EXPECT_TRUE(
      Run(ExpandMaxPoolOffsets, {offsets, Ints({3, 3}), Ints({9, 8}), windows[0], windows[1], windows[2]})[0]
          .equal(indices));
  EXPECT_TRUE(
      Run(ExpandMaxPool2dOffsets, {offsets, Constant(3), Constant(8), windows[0], windows[1], windows[2]})[0]
          .equal(indices));
}

TEST_F(MaxPool, ThreeDimensions) {
  const at::Tensor x = at::randn({2, 3, 6, 7, 8});
  const std::vector<Argument> windows = {Ints({2, 1, 2}), Ints({1, 0, 1}), Ints({1, 1, 1})};
  const auto pooled = ExpandMaxPoolWithOffsets({.positional = {emitter_.Input(x), Ints({3, 2, 3}), windows[0],
                                                               windows[1], windows[2], Constant(false)},
                                                .keyword = {}},
                                               emitter_);
  const at::Tensor indices = std::get<1>(at::max_pool3d_with_indices(x, {3, 2, 3}, {2, 1, 2}, {1, 0, 1}));
  EXPECT_TRUE(Run(ExpandMaxPoolOffsets,
                  {(*pooled)[1], Ints({3, 2, 3}), Ints({6, 7, 8}), windows[0], windows[1], windows[2]})[0]
                  .equal(indices));
}

using RmsNorm = Expansions;

at::Tensor ReferenceRmsNorm(const at::Tensor& x, double eps) {
  return x.div(x.square().mean({-1}, true).add(eps).sqrt());
}

TEST_F(RmsNorm, ForwardAndBackwardAgreeWithAutograd) {
  const at::Tensor x = at::randn({2, 3, 4}).requires_grad_();
  const at::Tensor weight = at::randn({4}).requires_grad_();
  const at::Tensor grad = at::randn({2, 3, 4});
  const at::Tensor expected = ReferenceRmsNorm(x, 1e-5).mul(weight);
  expected.backward(grad);

  const Argument input = emitter_.Input(x.detach());
  const Argument scale = emitter_.Input(weight.detach());
  const auto forward =
      ExpandFusedRmsNorm({.positional = {input, Ints({4}), scale, Constant(1e-5)}, .keyword = {}}, emitter_);
  EXPECT_TRUE(Tensors(*forward)[0].allclose(expected, 1e-5, 1e-6));

  const std::vector<at::Tensor> grads = Run(
      ExpandFusedRmsNormBackward, {emitter_.Input(grad), input, Ints({4}), (*forward)[1], scale, Argument()});
  EXPECT_TRUE(grads[0].allclose(x.grad(), 1e-4, 1e-5));
  EXPECT_TRUE(grads[1].allclose(weight.grad(), 1e-4, 1e-5));
}

TEST_F(RmsNorm, HalfPrecisionIsComputedInFloat) {
  const at::Tensor x = at::randn({2, 64}).to(at::kBFloat16);
  const std::vector<at::Tensor> results =
      Run(ExpandFusedRmsNorm, {emitter_.Input(x), Ints({64}), Argument(), Constant(1e-6)});
  EXPECT_EQ(results[0].scalar_type(), at::kBFloat16);
  EXPECT_EQ(results[1].scalar_type(), at::kFloat);
  EXPECT_TRUE(results[0].equal(ReferenceRmsNorm(x.to(at::kFloat), 1e-6).to(at::kBFloat16)));
}

TEST_F(RmsNorm, SeveralDimensionsAndNoEps) {
  const at::Tensor x = at::randn({2, 3, 4});
  const at::Tensor y = Run(ExpandRmsNorm, {emitter_.Input(x), Ints({3, 4}), Argument(), Argument()})[0];
  EXPECT_TRUE(y.allclose(ReferenceRmsNorm(x.view({2, 12}), 1.1920929e-07).view({2, 3, 4}), 1e-5, 1e-6));
}

}  // namespace
}  // namespace culprit::graph::translate
