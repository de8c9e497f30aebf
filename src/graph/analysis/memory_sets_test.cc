// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/memory_sets.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

TEST(MemorySetsTest, ViewsOfViewsShareMemoryAndCopiesDoNot) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId view = g.Call("aten::view", {x, {-1}});
  const ValueId slice = g.Call("aten::slice.Tensor", {view});
  const ValueId copy = g.Call("aten::clone", {slice});
  MemorySets sets(g.graph());
  EXPECT_EQ(sets.SetOf(x), sets.SetOf(slice));
  EXPECT_EQ(sets.SetOf(view), sets.SetOf(slice));
  EXPECT_NE(sets.SetOf(copy), sets.SetOf(slice));
}

TEST(MemorySetsTest, ElementsOfAListShareMemoryWithWhatWasSplit) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  const ValueId part = g.Call("python::getitem.Tensor", {g.Call("aten::split.Tensor", {x, 2}), 0});
  MemorySets sets(g.graph());
  EXPECT_EQ(sets.SetOf(x), sets.SetOf(part));
  EXPECT_NE(sets.SetOf(x), sets.SetOf(y));
}

TEST(MemorySetsTest, ConstantsOnOneStorageShareMemory) {
  TestGraph g;
  const at::Tensor base = at::ones({2});
  const ValueId whole = g.Constant("whole", base);
  const ValueId part = g.Constant("part", base.slice(0, 0, 1));
  const ValueId other = g.Constant("other", at::ones({2}));
  MemorySets sets(g.graph());
  EXPECT_EQ(sets.SetOf(whole), sets.SetOf(part));
  EXPECT_NE(sets.SetOf(whole), sets.SetOf(other));
}

TEST(MemorySetsTest, AWriteThroughAViewIsAWriteIntoItsSet) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  g.Call("aten::add_.Tensor", {g.Call("aten::view", {x, {-1}}), y});
  MemorySets sets(g.graph());
  const std::vector<bool> written = WrittenSets(g.graph(), sets);
  EXPECT_TRUE(written[sets.SetOf(x)]);
  EXPECT_FALSE(written[sets.SetOf(y)]);
}

}  // namespace
}  // namespace culprit::graph
