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

TEST_F(Expansions, BroadcastInDimPlacesTheDimensions) {
  const at::Tensor x = at::randn({2, 3});
  const at::Tensor y = Run(ExpandBroadcastInDim, {emitter_.Input(x), Ints({2, 5, 3, 4}), Ints({0, 2})})[0];
  EXPECT_TRUE(y.equal(x.view({2, 1, 3, 1}).expand({2, 5, 3, 4})));
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

TEST_F(RmsNorm, BackwardAgreesWithAutograd) {
  const at::Tensor x = at::randn({2, 3, 4}).requires_grad_();
  const at::Tensor weight = at::randn({4}).requires_grad_();
  const at::Tensor grad = at::randn({2, 3, 4});
  const at::Tensor rstd = x.square().mean({-1}, true).add(1e-5).rsqrt();
  x.mul(rstd).mul(weight).backward(grad);

  const std::vector<at::Tensor> grads =
      Run(ExpandFusedRmsNormBackward,
          {emitter_.Input(grad), emitter_.Input(x.detach()), Ints({4}), emitter_.Input(rstd.detach()),
           emitter_.Input(weight.detach()), Argument()});
  EXPECT_TRUE(grads[0].allclose(x.grad(), 1e-4, 1e-5));
  EXPECT_TRUE(grads[1].allclose(weight.grad(), 1e-4, 1e-5));
}

TEST_F(RmsNorm, BackwardOverSeveralDimensionsWithoutWeight) {
  const at::Tensor x = at::randn({2, 3, 4}).requires_grad_();
  const at::Tensor grad = at::randn({2, 3, 4});
  const at::Tensor rstd = x.square().mean({1, 2}, true).add(1e-5).rsqrt();
  x.mul(rstd).backward(grad);
  const std::vector<at::Tensor> grads =
      Run(ExpandFusedRmsNormBackward, {emitter_.Input(grad), emitter_.Input(x.detach()), Ints({3, 4}),
                                       emitter_.Input(rstd.detach()), Argument(), Argument()});
  EXPECT_TRUE(grads[0].allclose(x.grad(), 1e-4, 1e-5));
  EXPECT_FALSE(grads[1].defined());
}

TEST_F(RmsNorm, BackwardOfHalfPrecisionIsComputedInFloat) {
  const at::Tensor x = at::randn({2, 64}).to(at::kBFloat16);
  const at::Tensor weight = at::randn({64}).to(at::kBFloat16);
  const at::Tensor grad = at::randn({2, 64}).to(at::kBFloat16);
  const at::Tensor rstd = x.to(at::kFloat).square().mean({-1}, true).add(1e-5).rsqrt();
  const auto run = [&](at::ScalarType dtype) {
    return Run(ExpandFusedRmsNormBackward,
               {emitter_.Input(grad.to(dtype)), emitter_.Input(x.to(dtype)), Ints({64}), emitter_.Input(rstd),
                emitter_.Input(weight.to(dtype)), Argument()});
  };
  const std::vector<at::Tensor> half = run(at::kBFloat16), wide = run(at::kFloat);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(half[i].scalar_type(), at::kBFloat16);
    EXPECT_TRUE(half[i].to(at::kFloat).allclose(wide[i], 0.02, 0.02));
  }
}

}  // namespace
}  // namespace culprit::graph::translate
