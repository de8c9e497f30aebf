// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/silence.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/std.h>
#include <gtest/gtest.h>

#include "graph/fake/mode.h"
#include "graph/fake/world.h"

namespace culprit::graph::fake {
namespace {

class SilenceTest : public testing::Test, public c10::WarningHandler {
 protected:
  void process(const c10::Warning& /*warning*/) override { ++warnings_; }

  static void WarnOnce() { TORCH_WARN_ONCE("text"); }

  int warnings_ = 0;
  const c10::WarningUtils::WarningHandlerGuard guard_{this};
};

TEST_F(SilenceTest, DropsWarningsAndPutsTheHandlerBack) {
  {
    const Silence silence;
    TORCH_WARN("text");
  }
  EXPECT_EQ(warnings_, 0);
  TORCH_WARN("text");
  EXPECT_EQ(warnings_, 1);
}

TEST_F(SilenceTest, WhatIsSaidOnceIsSaidAfterwards) {
  {
    const Silence silence;
    const Silence inner;
    WarnOnce();
  }
  EXPECT_FALSE(c10::WarningUtils::get_warnAlways());
  WarnOnce();
  WarnOnce();
  EXPECT_EQ(warnings_, 1);
}

TEST_F(SilenceTest, OperatorsOnFakesAreSilent) {
  const at::Tensor one = at::ones({1});
  World world;
  const at::Tensor fake = world.FakeOf(one);
  {
    const Mode mode(world);
    at::std(fake);
  }
  EXPECT_EQ(warnings_, 0);
  at::std(one);
  EXPECT_EQ(warnings_, 1);
}

}  // namespace
}  // namespace culprit::graph::fake
