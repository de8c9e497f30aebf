// SPDX-License-Identifier: Apache-2.0
#include "check/noise/fill_observer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

at::Tensor RunFilled(TestGraph& g, Filling filling, const Values& inputs = {}) {
  FillObserver observer(g.graph(), filling);
  return graph::Interpreter(g.graph()).Run(inputs, &observer)[0].toTensor();
}

TEST(FillObserverTest, WhatNobodyWroteIsAnotherInEveryFilling) {
  TestGraph g;
  g.Return({g.Call("aten::empty.memory_format", {{2, 2}})});
  EXPECT_TRUE(RunFilled(g, Filling::kNan).isnan().all().item<bool>());
  EXPECT_TRUE(RunFilled(g, Filling::kNegative).lt(-1e6).all().item<bool>());
  EXPECT_TRUE(RunFilled(g, Filling::kPositive).gt(1e6).all().item<bool>());
}

TEST(FillObserverTest, IntegersAndBoolsAreValid) {
  for (const Filling filling : {Filling::kNan, Filling::kNegative}) {
    TestGraph integers;
    integers.Return({integers.Call("aten::empty.memory_format", {{4}}, {{"dtype", at::kLong}})});
    const at::Tensor numbers = RunFilled(integers, filling);
    EXPECT_TRUE(numbers.ge(0).logical_and(numbers.le(1)).all().item<bool>());
  }
  for (const Filling filling : {Filling::kNan, Filling::kNegative, Filling::kPositive, Filling::kZero}) {
    TestGraph bytes_of_any_sign;
    bytes_of_any_sign.Return(
        {bytes_of_any_sign.Call("aten::empty.memory_format", {{4}}, {{"dtype", at::kByte}})});
    EXPECT_EQ(RunFilled(bytes_of_any_sign, filling).numel(), 4);
    TestGraph bools;
    bools.Return({bools.Call("aten::empty_like", {bools.Placeholder("x")}, {{"dtype", at::kBool}})});
    const at::Tensor bytes = RunFilled(bools, filling, {at::ones({4})}).view(at::kByte);
    EXPECT_TRUE(bytes.le(1).all().item<bool>());
  }
}

TEST(FillObserverTest, HalvesAreFinite) {
  TestGraph g;
  g.Return({g.Call("aten::new_empty", {g.Placeholder("x"), {4}})});
  EXPECT_TRUE(RunFilled(g, Filling::kPositive, {at::ones({1}, at::kHalf)}).isfinite().all().item<bool>());
}

TEST(FillObserverTest, ATensorThatGrowsKeepsWhatItHad) {
  TestGraph g;
  const ValueId x = g.Call("aten::clone", {g.Placeholder("x")});
  g.Return({g.Call("aten::resize_", {x, {5}})});
  const at::Tensor grown = RunFilled(g, Filling::kNan, {at::ones({2})});
  EXPECT_TRUE(grown.slice(0, 0, 2).eq(1).all().item<bool>());
  EXPECT_TRUE(grown.slice(0, 2).isnan().all().item<bool>());
}

TEST(FillObserverTest, WhatIsWrittenIsLeftAlone) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId memory = g.Call("aten::empty_like", {x});
  g.Return({g.Call("aten::copy_", {memory, x})});
  EXPECT_TRUE(RunFilled(g, Filling::kNan, {at::arange(4)}).equal(at::arange(4)));
}

TEST(FillObserverTest, GraphsThatWriteAllTheirMemoryAreKnown) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::relu", {x})});
  EXPECT_FALSE(LeavesMemoryUnwritten(g.graph()));
  g.Return({g.Call("aten::new_empty_strided", {x, {2}, {1}})});
  EXPECT_TRUE(LeavesMemoryUnwritten(g.graph()));
}

}  // namespace
}  // namespace culprit::check
