// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/raise/raise.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "backends/torchscript/raise/raise_table.h"
#include "backends/torchscript/script/compiled.h"
#include "backends/torchscript/script/passes.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::torchscript {
namespace {

using backend::SwitchBoard;
using backend::SwitchOff;
using graph::ValueId;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::Not;
using tests::TestGraph;

/// A row of the table with a graph that it is for.
struct Example {
  const char* row;
  graph::Graph graph;
  at::Tensor input;
  ScriptStage stage;
  /// Found in what the compiler makes of the graph, if and only if the row is on.
  const char* regex;
};

ValueId Convolution(TestGraph& g, ValueId x, int64_t dimensions) {
  const graph::Argument ones = graph::Argument::Ints(std::vector<int64_t>(dimensions, 1));
  const graph::Argument zeros = graph::Argument::Ints(std::vector<int64_t>(dimensions, 0));
  std::vector<int64_t> sizes = {2, 2};
  sizes.resize(2 + dimensions, 1);
  const ValueId weight = g.Constant("weight", at::randn(sizes));
  return g.Call("aten::convolution", {x, weight, nullptr, ones, zeros, ones, false, zeros, 1});
}

Example ConvolutionExample() {
  TestGraph g;
  g.Return({Convolution(g, g.Placeholder("x"), 2)});
  return {"raise_convolution", g.graph(), at::randn({1, 2, 4, 4}), ScriptStage::kOfi,
          "prim::mkldnn_convolution"};
}

Example BatchNormExample() {
  TestGraph g;
  const ValueId conv = g.Call("aten::conv2d", {g.Placeholder("x"), g.Constant("w", at::randn({2, 2, 1, 1}))});
  const ValueId scale = g.Constant("scale", at::randn({2}));
  const ValueId mean = g.Constant("mean", at::randn({2}));
  const ValueId var = g.Constant("var", at::ones({2}));
  g.Return({g.CallAll("aten::native_batch_norm", {conv, scale, nullptr, mean, var, false, 0.1, 1e-5})[0]});
  return {"raise_batch_norm", g.graph(), at::randn({1, 2, 4, 4}), ScriptStage::kFreeze,
          "aten::conv2d[^\n]*\n[^\n]*TupleConstruct"};
}

Example AddmmExample() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId weight = g.Constant("w", at::randn({3, 2}));
  const ValueId bias = g.Constant("b", at::randn({3}));
  g.Return({g.Call("aten::addmm", {bias, x, g.Call("aten::t", {weight})})});
  return {"raise_addmm", g.graph(), at::randn({4, 2}), ScriptStage::kOfi, "aten::matmul"};
}

Example MmExample() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId weight = g.Constant("w", at::randn({3, 2}));
  g.Return({g.Call("aten::mm", {x, g.Call("aten::permute", {weight, {1, 0}})})});
  return {"raise_mm", g.graph(), at::randn({4, 2}), ScriptStage::kOfi, "aten::matmul"};
}

Example LayerNormExample() {
  TestGraph g;
  const ValueId conv = g.Call("aten::conv2d", {g.Placeholder("x"), g.Constant("w", at::randn({2, 2, 1, 1}))});
  const ValueId scale = g.Constant("scale", at::randn({4}));
  const ValueId shift = g.Constant("shift", at::randn({4}));
  g.Return({g.CallAll("aten::native_layer_norm", {conv, {4}, scale, shift, 1e-5})[0]});
  return {"raise_layer_norm", g.graph(), at::randn({1, 2, 4, 4}), ScriptStage::kOfi, "prim::MKLDNNLayerNorm"};
}

// Only what TorchScript can differentiate becomes a part of a graph that it optimises together with its
// backward pass, if there are at least two such operators.
Example SoftmaxExample(const char* row, const char* op) {
  TestGraph g;
  g.Return({g.Call(op, {g.Call("aten::exp", {g.Placeholder("x")}), 1, false})});
  return {row, g.graph(), at::randn({2, 3}).requires_grad_(true), ScriptStage::kPlain,
          "prim::DifferentiableGraph"};
}

Example MaxPool2dExample() {
  TestGraph g;
  const ValueId conv = g.Call("aten::conv2d", {g.Placeholder("x"), g.Constant("w", at::randn({2, 2, 1, 1}))});
  g.Return({g.CallAll("aten::max_pool2d_with_indices", {conv, {2, 2}})[0]});
  return {"raise_max_pool2d", g.graph(), at::randn({1, 2, 4, 4}), ScriptStage::kOfi,
          "max_pool2d[^\n]*\n[^\n]*to_dense"};
}

Example MaxPool3dExample() {
  TestGraph g;
  const ValueId conv =
      g.Call("aten::conv3d", {g.Placeholder("x"), g.Constant("w", at::randn({2, 2, 1, 1, 1}))});
  g.Return({g.CallAll("aten::max_pool3d_with_indices", {conv, {2, 2, 2}})[0]});
  return {"raise_max_pool3d", g.graph(), at::randn({1, 2, 4, 4, 4}), ScriptStage::kOfi,
          "max_pool3d[^\n]*\n[^\n]*to_dense"};
}

Example AdaptiveAvgPoolExample() {
  TestGraph g;
  const ValueId conv = g.Call("aten::conv2d", {g.Placeholder("x"), g.Constant("w", at::randn({2, 2, 1, 1}))});
  g.Return({g.Call("aten::_adaptive_avg_pool2d", {conv, {2, 2}})});
  return {"raise_adaptive_avg_pool2d", g.graph(), at::randn({1, 2, 4, 4}), ScriptStage::kOfi,
          "avg_pool2d[^\n]*\n[^\n]*to_dense"};
}

std::vector<Example> Examples() {
  return {ConvolutionExample(),
          BatchNormExample(),
          AddmmExample(),
          MmExample(),
          LayerNormExample(),
          SoftmaxExample("raise_softmax", "aten::_softmax"),
          SoftmaxExample("raise_log_softmax", "aten::_log_softmax"),
          MaxPool2dExample(),
          MaxPool3dExample(),
          AdaptiveAvgPoolExample()};
}

/// The text of the optimised graph, behind the calls if that is when it is optimised.
std::string Optimised(const Example& example, const graph::Graph& graph) {
  SwitchBoard switches({});
  const Flags flags{{example.stage, Executor::kProfiling}};
  BuiltGraph built = BuildGraph(graph, {example.input});
  RunStagePasses(built.graph, example.stage, switches);
  if (example.stage != ScriptStage::kPlain) return built.graph->toString(/*print_source_locations=*/false);
  TorchScriptCompiled compiled(std::move(built), {0}, flags);
  for (int i = 0; i < 3; ++i) {
    backend::Values inputs = {example.input};
    compiled.Call(inputs);
  }
  return torch::jit::lastExecutedOptimizedGraph()->toString(/*print_source_locations=*/false);
}

graph::Graph RaisedWithout(const Example& example, std::vector<SwitchOff> off) {
  SwitchBoard switches(std::move(off));
  return Raise(example.graph, switches);
}

TEST(RaiseTest, EveryRowHasAnExample) {
  std::vector<std::string> rows;
  for (const RaiseRow& row : RaiseTable()) rows.emplace_back(row.name);
  std::vector<std::string> examples;
  for (const Example& example : Examples()) examples.emplace_back(example.row);
  EXPECT_EQ(examples, rows);
}

TEST(RaiseTest, ThePassThatARowIsForFires) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.row);
    EXPECT_THAT(Optimised(example, RaisedWithout(example, {})), ContainsRegex(example.regex));
  }
}

TEST(RaiseTest, WithoutTheRowItDoesNot) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.row);
    EXPECT_THAT(Optimised(example, RaisedWithout(example, {{example.row}})),
                Not(ContainsRegex(example.regex)));
  }
}

TEST(RaiseTest, EagerComputesTheSameBits) {
  for (const Example& example : Examples()) {
    const graph::Graph raised = RaisedWithout(example, {});
    EXPECT_FALSE(raised == example.graph) << example.row;
    const at::Tensor before = graph::Interpreter(example.graph).Run({example.input})[0].toTensor();
    const at::Tensor behind = graph::Interpreter(raised).Run({example.input})[0].toTensor();
    EXPECT_TRUE(graph::SameTensor(before, behind)) << example.row;
  }
}

std::vector<std::string> Operators(const graph::Graph& graph) {
  SwitchBoard switches({});
  std::vector<std::string> names;
  const graph::Graph raised = Raise(graph, switches);
  for (const graph::Node& node : raised.nodes()) names.push_back(node.op->qualified_name());
  return names;
}

TEST(RaiseTest, AnOperatorWhoseOtherResultsAreUsedStays) {
  TestGraph g;
  const auto results = g.CallAll("aten::max_pool2d_with_indices", {g.Placeholder("x"), {2, 2}});
  g.Return({results[0], results[1]});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::max_pool2d_with_indices"));
}

TEST(RaiseTest, BatchNormInTrainingStays) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Placeholder("mean");
  g.Return({g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, mean, true, 0.1, 1e-5})[0]});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::native_batch_norm"));
}

TEST(RaiseTest, ConvolutionsOfEveryKindAreRaised) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w");
  const ValueId w1 = g.Constant("w1", at::ones({1, 1, 1}));
  g.Return({g.Call("aten::convolution", {x, w1, nullptr, {1}, {0}, {1}, false, {0}, 1}),
            g.Call("aten::convolution", {x, w, nullptr, {1, 1, 1}, {0}, {1}, false, {0}, 1}),
            g.Call("aten::convolution", {x, w1, nullptr, {1}, {0}, {1}, true, {0}, 1}),
            g.Call("aten::convolution", {x, w, nullptr, {1, 1}, {0}, {1}, true, {0}, 1}),
            g.Call("aten::convolution", {x, w, nullptr, {1, 1, 1}, {0}, {1}, true, {0}, 1})});
  EXPECT_THAT(Operators(g.graph()),
              ElementsAre("aten::conv1d", "aten::conv3d", "aten::conv_transpose1d",
                          "aten::conv_transpose2d.input", "aten::conv_transpose3d.input"));
}

TEST(RaiseTest, AConvolutionOfUnknownDimensionsStays) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::convolution", {x, g.Placeholder("w"), nullptr, {1}, {0}, {1}, false, {0}, 1})});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::convolution"));
}

TEST(RaiseTest, OneMeanPerPlaneIsRoundedDifferentlyAndStays) {
  TestGraph g;
  g.Return({g.Call("aten::_adaptive_avg_pool2d", {g.Placeholder("x"), {1, 1}})});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::_adaptive_avg_pool2d"));
}

TEST(RaiseTest, AWeightThatSomebodyWritesIntoStaysTransposed) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w");
  const ValueId t = g.Call("aten::t", {w});
  g.Call("aten::t_", {w});
  g.Return({g.Call("aten::mm", {x, t})});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::t", "aten::t_", "aten::mm"));
}

TEST(RaiseTest, ScaledSumsOfAddmmStay) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId t = g.Call("aten::t", {g.Placeholder("w")});
  g.Return({g.Call("aten::addmm", {g.Placeholder("b"), x, t}, {{"alpha", 2}})});
  EXPECT_THAT(Operators(g.graph()), ElementsAre("aten::t", "aten::addmm"));
}

TEST(RaiseTest, EachNodeIsAnApplicationOfItsRow) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::_softmax", {x, 0, false}), g.Call("aten::_softmax", {x, 1, false})});
  SwitchBoard switches({{"raise_softmax", 2}});
  const graph::Graph raised = Raise(g.graph(), switches);
  EXPECT_EQ(raised.nodes()[0].op->qualified_name(), "aten::softmax.int");
  EXPECT_EQ(raised.nodes()[1].op->qualified_name(), "aten::_softmax");
}

}  // namespace
}  // namespace culprit::backends::torchscript
