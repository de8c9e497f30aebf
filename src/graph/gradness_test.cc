// SPDX-License-Identifier: Apache-2.0
#include "graph/gradness.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
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

}  // namespace
}  // namespace culprit::graph
