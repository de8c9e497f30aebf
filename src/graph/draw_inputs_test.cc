// SPDX-License-Identifier: Apache-2.0
#include "graph/draw_inputs.h"

#include <gtest/gtest.h>

#include "graph/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
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

TEST(DrawInputs, AGraphThatFailsWhateverItGetsHasInputs) {
  tests::TestGraph g;
  g.Return({g.Call("aten::view", {g.Placeholder("x"), {3, 3}})});
  EXPECT_TRUE(DrawInputs(g.graph(), Vectors({{at::kFloat, 100}})).ok());
}

}  // namespace
}  // namespace culprit::graph
