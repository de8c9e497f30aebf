// SPDX-License-Identifier: Apache-2.0
#include "check/noise/coarse_rounding.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using tests::TestGraph;

double ToleranceFor(TestGraph g, const std::vector<c10::IValue>& inputs,
                    const repro::RunSettings& settings = {}) {
  const std::optional<Rounding> rounding = CoarseRounding(g.graph(), inputs, settings);
  return rounding ? rounding->tolerance : 0;
}

TestGraph Identity() {
  TestGraph g;
  g.Return({g.Placeholder("x")});
  return g;
}

TEST(CoarseRoundingTest, TheCoarsestInputDecides) {
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2})}), 0);
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2}, at::kLong)}), 0);
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2}, at::kHalf)}), 0.00390625);
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2}, at::kHalf), at::ones({2}, at::kBFloat16)}), 0.03125);
}

TEST(CoarseRoundingTest, SoDoWhatTheGraphSaysAndTheModes) {
  TestGraph casting;
  const graph::ValueId x = casting.Placeholder("x");
  casting.Return({casting.Call("aten::_to_copy", {x}, {{"dtype", at::kBFloat16}})});
  EXPECT_EQ(ToleranceFor(casting, {at::ones({2})}), 0.03125);
  TestGraph holding;
  holding.Return({holding.Constant("c", at::ones({2}, at::kHalf))});
  EXPECT_EQ(ToleranceFor(holding, {}), 0.00390625);
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2})}, {.autocast = repro::Autocast{}}), 0.03125);
  EXPECT_EQ(ToleranceFor(Identity(), {at::ones({2})}, {.default_dtype = at::kHalf}), 0.00390625);
}

}  // namespace
}  // namespace culprit::check
