// SPDX-License-Identifier: Apache-2.0
#include "faults/site.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/where.h"
#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using tests::TestGraph;

Site SiteOf(TestGraph& g, std::string_view where) {
  return MakeSite(g.graph(), ParseWhere(where)->GuiltyNodes(g.graph()));
}

TEST(SiteTest, OutputsBehindTheGuiltyNodeDependOnIt) {
  TestGraph g;
  const ValueId sin = g.Call("aten::sin", {g.Placeholder("x")});
  const ValueId tanh = g.Call("aten::tanh", {sin});
  g.Return({sin, tanh, g.Call("aten::exp", {tanh}), g.Call("aten::exp", {sin})});
  EXPECT_THAT(SiteOf(g, "tanh").outputs, ElementsAre(1, 2));
  EXPECT_EQ(SiteOf(g, "tanh").operator_name, "aten::tanh");
}

TEST(SiteTest, MemoryThatIsWrittenToCarriesTheFault) {
  TestGraph g;
  const ValueId base = g.Call("aten::neg", {g.Placeholder("x")});
  const ValueId view = g.Call("aten::view", {base, {4}});
  const ValueId other = g.Call("aten::neg", {base});
  g.Call("aten::tanh_", {view});
  g.Return({base, other, g.Call("aten::exp", {base})});
  EXPECT_THAT(SiteOf(g, "tanh_").outputs, ElementsAre(0, 2));
}

TEST(SiteTest, TheInputIsTheFirstTensorThatTheNodeDependsOn) {
  TestGraph g;
  g.Placeholder("unused");
  const ValueId n = g.Placeholder("n", graph::PlaceholderKind::kInput, graph::ValueKind::kInt);
  const ValueId y = g.Placeholder("y");
  const ValueId z = g.Placeholder("z");
  const ValueId viewed = g.Call("aten::view", {y, {n}});
  g.Return({g.Call("aten::tanh", {viewed}), g.Call("aten::exp", {z}), g.Call("aten::ones", {{2}})});
  EXPECT_EQ(SiteOf(g, "tanh").input, 2u);
  EXPECT_EQ(SiteOf(g, "exp").input, 3u);
  EXPECT_EQ(SiteOf(g, "ones").input, std::nullopt);
}

TEST(SiteTest, TheLargestTensorIsLookedForAtTheGuiltyNodeOnly) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId big = g.Call("aten::repeat", {x, {100}});
  g.Return({g.Call("aten::tanh", {x}), g.Call("aten::sum", {big})});
  EXPECT_EQ(LargestTensorAt(SiteOf(g, "tanh"), {at::ones({3})}), 3);
  EXPECT_EQ(LargestTensorAt(SiteOf(g, "sum"), {at::ones({3})}), 300);
}

TEST(SiteTest, LookingAtSizesLeavesInputsAndGeneratorAlone) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add_.Tensor", {x, g.Call("aten::rand_like", {x})})});
  const at::Tensor input = at::ones({3});
  const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  LargestTensorAt(SiteOf(g, "add_"), {input});
  EXPECT_TRUE(input.equal(at::ones({3})));
  EXPECT_TRUE(at::detail::getDefaultCPUGenerator().get_state().equal(before));
}

}  // namespace
}  // namespace culprit::faults
