// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/fakes_of.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "graph/fake/world.h"

namespace culprit::autograd {
namespace {

using graph::fake::World;

TEST(FakesOfTest, FakesLieAsTheTensorsDo) {
  const at::Tensor x = at::ones({4, 6}, at::kDouble).t().slice(0, 1, 5, 2);
  const at::Tensor fake = FakesOf({x})[0].toTensor();
  EXPECT_TRUE(World::IsFake(fake));
  EXPECT_EQ(fake.sizes(), x.sizes());
  EXPECT_EQ(fake.strides(), x.strides());
  EXPECT_EQ(fake.storage_offset(), x.storage_offset());
  EXPECT_EQ(fake.dtype(), x.dtype());
}

TEST(FakesOfTest, FakesShareMemoryAsTheTensorsDo) {
  const at::Tensor x = at::ones({3});
  const backend::Values fakes = FakesOf({x, x.view({3, 1}), at::ones({3})});
  EXPECT_TRUE(fakes[0].toTensor().is_alias_of(fakes[1].toTensor()));
  EXPECT_FALSE(fakes[0].toTensor().is_alias_of(fakes[2].toTensor()));
}

TEST(FakesOfTest, LeavesStayViews) {
  const at::Tensor fake = FakesOf({at::ones({4}).slice(0, 1, 3).requires_grad_()})[0].toTensor();
  EXPECT_TRUE(fake.is_view());
  EXPECT_TRUE(fake.is_leaf());
  EXPECT_TRUE(fake.requires_grad());
  EXPECT_EQ(fake.storage_offset(), 1);
}

TEST(FakesOfTest, FakesHaveTheGradnessOfTheTensorsAndAreNoViews) {
  const at::Tensor leaf = at::ones({3}).requires_grad_();
  const backend::Values fakes = FakesOf({leaf, leaf.mul(1).view({3, 1}), at::ones({3})});
  EXPECT_TRUE(fakes[0].toTensor().requires_grad());
  EXPECT_TRUE(fakes[0].toTensor().is_leaf());
  EXPECT_TRUE(fakes[1].toTensor().requires_grad());
  EXPECT_FALSE(fakes[1].toTensor().is_leaf());
  EXPECT_FALSE(fakes[1].toTensor().is_view());
  EXPECT_FALSE(fakes[2].toTensor().requires_grad());
}

TEST(FakesOfTest, WhatIsNoTensorStaysAsItIs) {
  const backend::Values fakes = FakesOf({int64_t{3}, at::Tensor(), c10::IValue()});
  EXPECT_EQ(fakes[0].toInt(), 3);
  EXPECT_FALSE(fakes[1].toTensor().defined());
  EXPECT_TRUE(fakes[2].isNone());
}

}  // namespace
}  // namespace culprit::autograd
