// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/async_device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

class AsyncDeviceTest : public testing::Test {
 protected:
  AsyncDeviceTest() { AsyncDevice::Reset(); }

  static at::Tensor On(int index, const at::Tensor& tensor) { return tensor.to(AsyncDevice::device(index)); }
};

TEST_F(AsyncDeviceTest, ComputesWhatTheCpuDoes) {
  const at::Tensor x = at::arange(-3, 3, at::kFloat).view({2, 3});
  const at::Tensor there = On(0, x);
  EXPECT_EQ(there.device().str(), "privateuseone:0");
  EXPECT_TRUE(there.cpu().equal(x));
  EXPECT_TRUE(there.relu().mul(2).add(there).cpu().equal(x.relu().mul(2).add(x)));
  EXPECT_TRUE(at::mm(there, there.t()).sum().cpu().equal(at::mm(x, x.t()).sum()));
  EXPECT_TRUE(there.t().clone().add_(1).cpu().equal(x.t().add(1)));
  EXPECT_EQ(there.sum().item<float>(), x.sum().item<float>());
}

TEST_F(AsyncDeviceTest, OperatorsThatItLacksAreComputedOnTheCpu) {
  const at::Tensor x = at::arange(6, at::kFloat);
  EXPECT_TRUE(at::cat({On(0, x), On(0, x)}).cumsum(0).cpu().equal(at::cat({x, x}).cumsum(0)));
  at::Tensor sum = at::empty({0}, On(0, x).options());
  EXPECT_TRUE(at::add_out(sum, On(0, x), On(0, x)).cpu().equal(x.mul(2)));
  EXPECT_EQ(On(1, x).cumsum(0).device(), AsyncDevice::device(1));
}

TEST_F(AsyncDeviceTest, OperatorsReturnBeforeTheyAreDone) {
  const at::Tensor x = On(0, at::ones({3}));
  at::Tensor y;
  {
    const AsyncDevice::Hold hold;
    y = x.add(1).relu().mul(3);
    EXPECT_GE(AsyncDevice::queued(), 3);
  }
  EXPECT_TRUE(y.cpu().equal(at::ones({3}).mul(6)));
  EXPECT_EQ(AsyncDevice::queued(), 0);
}

TEST_F(AsyncDeviceTest, WhatFailsIsThrownByWhoeverWaitsNextAndOnlyOnce) {
  const at::Tensor x = On(0, at::ones({3}));
  AsyncDevice::FailNext("illegal memory access");
  const at::Tensor y = x.add(1);
  try {
    y.cpu();
    FAIL() << "nothing was thrown";
  } catch (const c10::Error& error) {
    EXPECT_STREQ(error.what_without_backtrace(), "illegal memory access");
  }
  EXPECT_TRUE(x.add(1).cpu().equal(at::ones({3}).mul(2)));
}

TEST_F(AsyncDeviceTest, ABrokenDeviceFailsUntilItIsReset) {
  const at::Tensor x = On(0, at::ones({3}));
  AsyncDevice::BreakNext("device-side assert triggered");
  x.add(1);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(x.cpu(), c10::Error);
  EXPECT_THROW(x.add(1), c10::Error);
  EXPECT_THROW(On(0, at::ones({3})), c10::Error);
  AsyncDevice::Reset();
  EXPECT_NO_THROW(x.add(1).cpu());
}

TEST_F(AsyncDeviceTest, DevicesFailSeparately) {
  AsyncDevice::FailNext("broken", 1);
  EXPECT_NO_THROW(On(0, at::ones({1})).add(1).cpu());
  EXPECT_THROW(On(1, at::ones({1})).add(1).cpu(), c10::Error);
}

TEST_F(AsyncDeviceTest, GradientsStayThere) {
  const at::Tensor x = On(1, at::arange(-2, 3, at::kFloat)).requires_grad_(true);
  x.relu().mul(3).sum().backward();
  EXPECT_EQ(x.grad().device(), AsyncDevice::device(1));
  EXPECT_TRUE(x.grad().cpu().equal(at::arange(-2, 3).gt(0).to(at::kFloat).mul(3)));
}

TEST_F(AsyncDeviceTest, MemoryIsKeptUntilTheWorkIsDone) {
  at::Tensor y;
  {
    const AsyncDevice::Hold hold;
    y = On(0, at::ones({1 << 16})).add(1);
  }
  EXPECT_TRUE(y.cpu().equal(at::ones({1 << 16}).mul(2)));
}

TEST_F(AsyncDeviceTest, WorksInInferenceMode) {
  const c10::InferenceMode mode;
  EXPECT_EQ(On(0, at::ones({2})).add_(1).relu().sum().item<float>(), 4);
}

}  // namespace
}  // namespace culprit::tests
