// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace_modes.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace culprit::autograd {
namespace {

TEST(TraceModesTest, AScopeSetsThemAndPutsThemBack) {
  const TraceModes before = TraceModes::Current();
  const TraceModes other{.grad = !before.grad, .autocast = true, .autocast_cache = !before.autocast_cache};
  {
    const TraceModesScope scope(other);
    EXPECT_EQ(TraceModes::Current(), other);
    EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCPU));
  }
  EXPECT_EQ(TraceModes::Current(), before);
}

TEST(BelowAutogradTest, NothingIsRecordedOrCast) {
  const TraceModesScope autocast({.grad = true, .autocast = true});
  const at::Tensor x = at::ones({2, 2}).requires_grad_();
  EXPECT_EQ(x.mm(x).scalar_type(), at::kBFloat16);
  at::autocast::clear_cache();
  const BelowAutograd below;
  EXPECT_EQ(x.mm(x).scalar_type(), at::kFloat);
  EXPECT_FALSE(x.mm(x).requires_grad());
}

}  // namespace
}  // namespace culprit::autograd
