// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/gradness.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

namespace culprit::graph {
namespace {

TEST(GradnessTest, LeavesAndOthersCanBeMade) {
  EXPECT_FALSE(WithGradness(at::ones({2}), false, true).requires_grad());
  const at::Tensor leaf = WithGradness(at::ones({2}), true, true);
  EXPECT_TRUE(leaf.requires_grad());
  EXPECT_TRUE(leaf.is_leaf());
  const at::Tensor computed = WithGradness(at::ones({2}), true, false);
  EXPECT_TRUE(computed.requires_grad());
  EXPECT_FALSE(computed.is_leaf());
}

TEST(GradnessTest, WhatIsNoLeafMayBeWrittenIntoAndGetsAGradient) {
  const at::Tensor x = WithGradness(at::ones({2}), true, false);
  const at::Tensor holder = HolderOfGradient(x);
  x.mul_(2);
  x.mul(3).sum().backward();
  EXPECT_TRUE(holder.grad().equal(at::full({2}, 6.0))) << "of the value before the write";
}

TEST(GradnessTest, OtherTensorsHoldTheirOwnGradient) {
  const at::Tensor leaf = WithGradness(at::ones({2}), true, true);
  const at::Tensor computed = leaf.mul(2);
  EXPECT_TRUE(HolderOfGradient(leaf).is_same(leaf));
  EXPECT_TRUE(HolderOfGradient(computed).is_same(computed));
  EXPECT_FALSE(HolderOfGradient(at::Tensor()).defined());
}

TEST(GradnessTest, TheMemoryStaysTheSame) {
  const at::Tensor tensor = at::zeros({2});
  EXPECT_EQ(WithGradness(tensor, true, false).data_ptr(), tensor.data_ptr());
}

TEST(GradnessTest, IntegersHaveNone) {
  EXPECT_FALSE(WithGradness(at::ones({2}, at::kLong), true, true).requires_grad());
}

TEST(GradnessTest, AViewIsAsWritableAsAnother) {
  const at::Tensor base = WithGradness(at::ones({2}), true, false);
  const at::Tensor plain = base.narrow(0, 0, 1);
  at::Tensor made_without_gradients;
  {
    const at::NoGradGuard guard;
    made_without_gradients = base.narrow(0, 0, 1);
  }
  const at::Tensor view = base.narrow(0, 1, 1);
  MakeAsWritable(view, made_without_gradients);
  EXPECT_THROW(view.add_(1), c10::Error);
  MakeAsWritable(view, plain);
  view.add_(1);
  EXPECT_TRUE(base.equal(at::tensor({1.0F, 2.0F})));
}

TEST(GradnessTest, OnlyABackwardPassIsOne) {
  const at::Tensor leaf = WithGradness(at::ones({2}), true, true);
  bool is_seen_inside = false;
  leaf.register_hook([&](const at::Tensor&) { is_seen_inside = IsInBackward(); });
  leaf.sum().backward();
  EXPECT_TRUE(is_seen_inside);
  EXPECT_FALSE(IsInBackward());
}

}  // namespace
}  // namespace culprit::graph
