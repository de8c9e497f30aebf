// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/draw_inputs.h"

#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph::inputs {
namespace {

/// Vectors of these dtypes and lengths, of unknown contents.
InputSpecs Vectors(const std::vector<std::pair<at::ScalarType, int64_t>>& vectors) {
  InputSpecs specs;
  for (const auto& [dtype, count] : vectors) {
    specs.inputs.emplace_back(
        TensorSpec{.storage = specs.storages.size(), .sizes = {count}, .strides = {1}, .dtype = dtype});
    specs.storages.push_back({.bytes = count * static_cast<int64_t>(c10::elementSize(dtype))});
  }
  return specs;
}

// Zeros fail at each of the two operators, and the second is reached only when the first has what it wants.
TEST(DrawInputs, GoesOnBehindEveryOperatorThatFailed) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x"), repeats = g.Placeholder("repeats"), y = g.Placeholder("y"),
                divisor = g.Placeholder("divisor");
  const ValueId repeated =
      g.Call("aten::repeat_interleave.self_Tensor", {x, repeats, 0}, {{"output_size", 6}});
  const ValueId rest = g.Call("aten::remainder.Tensor", {y, divisor});
  g.Return({g.Call("aten::log", {repeated}), rest});
  const InputSpecs specs = Vectors({{at::kFloat, 3}, {at::kLong, 3}, {at::kLong, 100}, {at::kLong, 100}});
  const auto made = DrawInputs(g.graph(), specs);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made->values[1].toTensor().sum().item<int64_t>(), 6);
  EXPECT_TRUE(made->values[3].toTensor().gt(0).all().item<bool>());
  EXPECT_EQ(made->random, (std::vector<size_t>{0, 1, 2, 3}));
  const auto outputs = Interpreter(g.graph()).Run(made->values);
  EXPECT_TRUE(outputs[0].toTensor().isfinite().all().item<bool>());
}

TEST(DrawInputs, TheSeedDecidesTheNumbers) {
  tests::TestGraph g;
  g.Return({g.Call("aten::log", {g.Placeholder("x")})});
  const InputSpecs specs = Vectors({{at::kFloat, 100}});
  const auto drawn = [&](uint64_t seed) { return DrawInputs(g.graph(), specs, {.seed = seed})->values[0]; };
  EXPECT_TRUE(SameTensor(drawn(1).toTensor(), drawn(1).toTensor()));
  EXPECT_FALSE(SameTensor(drawn(1).toTensor(), drawn(2).toTensor()));
}

// As a backward graph does with a mask that its forward graph has saved.
TEST(DrawInputs, MasksFitWhatIsWrittenThroughThem) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x"), mask = g.Placeholder("mask"), y = g.Placeholder("y");
  g.Return({g.Call("aten::index_put", {x, {mask}, y, true}), g.Call("aten::masked_scatter", {x, mask, y})});
  const auto made = DrawInputs(g.graph(), Vectors({{at::kFloat, 100}, {at::kBool, 100}, {at::kFloat, 37}}));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made->values[1].toTensor().sum().item<int64_t>(), 37);
  EXPECT_NO_THROW(Interpreter(g.graph()).Run(made->values));
}

TEST(DrawInputs, NothingIsWrittenToOnePlaceTwice) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x"), index = g.Placeholder("index"), y = g.Placeholder("y");
  g.Return({g.Call("aten::scatter.src", {x, 0, index, y})});
  const auto made = DrawInputs(g.graph(), Vectors({{at::kFloat, 100}, {at::kLong, 50}, {at::kFloat, 50}}));
  ASSERT_TRUE(made.ok()) << made.error().message;
  const at::Tensor sorted = std::get<0>(made->values[1].toTensor().sort());
  EXPECT_TRUE(sorted.diff().gt(0).all().item<bool>()) << sorted;
}

// No machine has this much memory, and nobody has the time.
TEST(DrawInputs, LargeGraphsAreNotRun) {
  tests::TestGraph g;
  const ValueId index = g.Placeholder("index"), x = g.Placeholder("x");
  ValueId large = g.Call("aten::expand", {x, {int64_t{1} << 20, int64_t{1} << 20}});
  for (int i = 0; i < 3; ++i) large = g.Call("aten::mm", {large, large});
  g.Return({g.Call("aten::index_select", {large, 0, index})});
  const auto made = DrawInputs(g.graph(), Vectors({{at::kLong, 1000}, {at::kFloat, 1}}));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_GT(made->values[0].toTensor().max().item<int64_t>(), 1 << 19);
}

TEST(DrawInputs, WhatNobodyReadsIsNotDrawn) {
  tests::TestGraph g;
  g.Placeholder("unread");
  g.Return({g.Placeholder("read")});
  const auto made = DrawInputs(g.graph(), Vectors({{at::kFloat, 100}, {at::kFloat, 100}}));
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_FALSE(made->values[0].toTensor().any().item<bool>());
  EXPECT_TRUE(made->values[1].toTensor().any().item<bool>());
}

TEST(DrawInputs, AGraphThatFailsWhateverItGetsHasInputs) {
  tests::TestGraph g;
  g.Return({g.Call("aten::view", {g.Placeholder("x"), {3, 3}})});
  EXPECT_TRUE(DrawInputs(g.graph(), Vectors({{at::kFloat, 100}})).ok());
}

}  // namespace
}  // namespace culprit::graph::inputs
