// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/torchscript.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <set>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::torchscript {
namespace {

using backend::Parameters;
using backend::Values;
using graph::PlaceholderKind;
using graph::ValueId;
using testing::HasSubstr;
using testing::Not;
using tests::TestGraph;

std::unique_ptr<backend::Backend> OpenBackend(std::string_view spec) {
  const TorchScript kind;
  return *kind.Open(*backend::Configuration::Make(*backend::ParseSpec(spec), kind.description()));
}

/// The graph that the executor has optimised by the third call.
std::string Executed(std::string_view spec, const graph::Graph& graph, const Values& inputs) {
  const std::unique_ptr<backend::Compiled> compiled = OpenBackend(spec)->Compile(graph, inputs);
  for (int i = 0; i < 3; ++i) {
    Values given = inputs;
    compiled->Call(given);
  }
  return torch::jit::lastExecutedOptimizedGraph()->toString(/*print_source_locations=*/false);
}

graph::Graph Pointwise() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId tanh = g.Call("aten::tanh", {g.Call("aten::mul.Tensor", {x, x})});
  g.Return({g.Call("aten::add.Tensor", {tanh, x})});
  return g.graph();
}

graph::Graph ConvAndRelu() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::relu", {g.Call("aten::conv2d", {x, w})})});
  return g.graph();
}

/// As autograd writes it in training: new statistics are copies of the old ones, which are written.
graph::Graph BatchNormInTraining() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Call("aten::clone", {g.Placeholder("mean", PlaceholderKind::kBuffer)});
  const ValueId variance = g.Call("aten::clone", {g.Placeholder("variance", PlaceholderKind::kBuffer)});
  g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, variance, true, 0.1, 1e-5});
  g.Return({mean, variance});
  return g.graph();
}

TEST(TorchScriptTest, StatisticsThatEveryCallWritesAreNoConstants) {
  const graph::Graph graph = BatchNormInTraining();
  const Values inputs = {at::randn({2, 3, 4, 4}), at::ones({3}), at::ones({3})};
  const Values expected = graph::Interpreter(graph).Run(inputs);
  for (const char* spec : {"torchscript", "torchscript:stage=freeze", "torchscript:stage=ofi"}) {
    const std::unique_ptr<backend::Compiled> compiled = OpenBackend(spec)->Compile(graph, inputs);
    for (int call = 0; call < 3; ++call) {
      Values given = inputs;
      const Values outputs = compiled->Call(given);
      for (size_t i = 0; i < outputs.size(); ++i)
        EXPECT_TRUE(outputs[i].toTensor().equal(expected[i].toTensor())) << spec << " call " << call;
    }
  }
}

TEST(TorchScriptTest, ADropoutOfNothingDrawsNoRandomNumbers) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  const ValueId nothing = g.Call("aten::dropout", {g.Call("aten::mul.Tensor", {tanh, tanh}), 0.0, true});
  g.Return({g.Call("aten::dropout", {g.Call("aten::relu", {nothing}), 0.5, true})});
  const Values inputs = {at::randn({8, 8}).requires_grad_()};
  at::manual_seed(1);
  const at::Tensor expected = graph::Interpreter(g.graph()).Run(inputs)[0].toTensor();
  const std::unique_ptr<backend::Compiled> compiled = OpenBackend("torchscript")->Compile(g.graph(), inputs);
  for (int call = 0; call < 3; ++call) {
    Values given = inputs;
    at::manual_seed(1);
    EXPECT_TRUE(compiled->Call(given)[0].toTensor().equal(expected)) << call;
  }
}

TEST(TorchScriptTest, FreezeAndOfiWantParametersFrozen) {
  EXPECT_EQ(OpenBackend("torchscript")->parameters(), Parameters::kLifted);
  EXPECT_EQ(OpenBackend("torchscript:stage=freeze")->parameters(), Parameters::kFrozen);
  EXPECT_EQ(OpenBackend("torchscript:stage=ofi")->parameters(), Parameters::kFrozen);
  EXPECT_EQ(OpenBackend("torchscript:stage=nnc,calls=4")->calls(), 4);
}

TEST(TorchScriptTest, EveryNameOfASwitchIsOnlyThereOnce) {
  const TorchScript kind;
  std::set<std::string> names;
  for (const backend::SwitchDescription& one : kind.description().switches) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_NE(one.line, "") << one.name;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(TorchScriptTest, EveryStageAndExecutorComputesTheSame) {
  const at::NoGradGuard no_grad;
  const Values inputs = {at::randn({2, 3, 5, 5}), at::randn({16, 3, 3, 3})};
  const at::Tensor expected = graph::Interpreter(ConvAndRelu()).Run(inputs)[0].toTensor();
  for (const char* spec : {"torchscript", "torchscript:executor=simple", "torchscript:executor=legacy",
                           "torchscript:stage=freeze", "torchscript:stage=ofi", "torchscript:stage=nnc",
                           "torchscript:stage=legacy-fuser"}) {
    const std::unique_ptr<backend::Compiled> compiled = OpenBackend(spec)->Compile(ConvAndRelu(), inputs);
    for (int i = 0; i < 3; ++i) {
      Values given = inputs;
      EXPECT_TRUE(compiled->Call(given)[0].toTensor().allclose(expected, 1e-4, 1e-5)) << spec;
    }
  }
}

/// Of [s0, 6, s1] numbers the first half of the columns, multiplied with a matrix and with s2.
graph::Graph OfManySizes() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId factor = g.Placeholder("s2", PlaceholderKind::kInput, graph::ValueKind::kInt);
  g.graph().SetSymbols(0, {"s0", "", "s1"});
  g.graph().SetSymbols(2, {"s2"});
  const ValueId rows = g.Call("aten::sym_size.int", {x, 0});
  const ValueId columns = g.Call("aten::sym_size.int", {x, 2});
  const ValueId all = g.Call("python::mul.int", {rows, columns});
  const ValueId half = g.Call("python::floordiv.int", {columns, 2});
  const ValueId flat = g.Call("aten::reshape", {g.Call("aten::permute", {x, {0, 2, 1}}), {all, 6}});
  const ValueId product = g.Call("aten::view", {g.Call("aten::mm", {flat, w}), {rows, columns, 4}});
  const ValueId part = g.Call("aten::slice.Tensor", {product, 1, 0, half});
  const ValueId more = g.Call("aten::add.Tensor", {part, g.Call("aten::full", {{rows, half, 4}, 0.5})});
  g.Return({g.Call("aten::tanh", {g.Call("aten::mul.Tensor", {more, factor})}), half});
  return g.graph();
}

TEST(TorchScriptTest, SizesMayDifferFromCallToCall) {
  const at::NoGradGuard no_grad;
  const graph::Graph graph = OfManySizes();
  const at::Tensor w = at::randn({6, 4});
  for (const char* spec : {"torchscript", "torchscript:executor=simple", "torchscript:executor=legacy",
                           "torchscript:stage=freeze", "torchscript:stage=ofi", "torchscript:stage=nnc",
                           "torchscript:stage=legacy-fuser"}) {
    const auto compiled = OpenBackend(spec)->Compile(graph, {at::randn({4, 6, 5}), w, 3});
    for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{
             {4, 5}, {4, 5}, {4, 5}, {2, 9}, {7, 2}, {33, 16}, {4, 5}, {5, 5}}) {
      Values inputs = {at::randn({rows, 6, columns}), w, rows};
      const Values expected = graph::Interpreter(graph).Run(inputs);
      const Values actual = compiled->Call(inputs);
      EXPECT_EQ(actual[0].toTensor().sizes(), expected[0].toTensor().sizes()) << spec;
      EXPECT_TRUE(actual[0].toTensor().allclose(expected[0].toTensor(), 1e-4, 1e-5)) << spec;
      EXPECT_EQ(actual[1].toInt(), columns / 2) << spec;
    }
  }
}

TEST(TorchScriptTest, AFrozenParameterIsWhatItWasWhenItWasCompiled) {
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::ones({1, 1, 1, 1});
  Values inputs = {x, at::ones({1, 1, 1, 1})};
  const auto compiled = OpenBackend("torchscript:stage=freeze")->Compile(ConvAndRelu(), inputs);
  Values later = {x, at::full({1, 1, 1, 1}, 5.0)};
  EXPECT_EQ(compiled->Call(later)[0].toTensor().item<float>(), 1);
}

TEST(TorchScriptTest, StageNncFusesUnlessItIsTakenAway) {
  const at::NoGradGuard no_grad;
  const Values inputs = {at::randn({4})};
  EXPECT_THAT(Executed("torchscript:stage=nnc", Pointwise(), inputs), HasSubstr("prim::TensorExprGroup"));
  EXPECT_THAT(Executed("torchscript:stage=nnc,off=nnc_fuse", Pointwise(), inputs),
              Not(HasSubstr("prim::TensorExprGroup")));
  EXPECT_THAT(Executed("torchscript", Pointwise(), inputs), Not(HasSubstr("prim::TensorExprGroup")));
}

TEST(TorchScriptTest, StageLegacyFuserFusesUnlessItIsTakenAway) {
  const at::NoGradGuard no_grad;
  const Values inputs = {at::randn({4})};
  EXPECT_THAT(Executed("torchscript:stage=legacy-fuser", Pointwise(), inputs),
              HasSubstr("prim::FusionGroup"));
  EXPECT_THAT(Executed("torchscript:stage=legacy-fuser,off=legacy_fuse", Pointwise(), inputs),
              Not(HasSubstr("prim::FusionGroup")));
}

TEST(TorchScriptTest, GradientsFlowThroughEveryCall) {
  // Of positive numbers the gradient is at least one: of others it may be all but zero, and then what
  // rounding leaves of it depends on the processor.
  const at::Tensor values = at::arange(1, 5).mul(0.25);
  const at::Tensor x = values.clone().requires_grad_(true);
  graph::Interpreter(Pointwise()).Run({x})[0].toTensor().sum().backward();
  const auto compiled = OpenBackend("torchscript")->Compile(Pointwise(), {x});
  for (int i = 0; i < 3; ++i) {
    const at::Tensor input = values.clone().requires_grad_(true);
    Values given = {input};
    compiled->Call(given)[0].toTensor().sum().backward();
    EXPECT_TRUE(input.grad().allclose(x.grad())) << i;
  }
}

}  // namespace
}  // namespace culprit::backends::torchscript
