// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/passes.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/canonicalize.h>

#include "backends/torchscript/script/build_graph.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::torchscript {
namespace {

namespace jit = torch::jit;
using graph::ValueId;
using testing::HasSubstr;
using testing::Not;
using tests::TestGraph;

ValueId AddConstant(TestGraph& g, const std::string& name, const at::Tensor& tensor) {
  return g.Constant(name + std::to_string(g.graph().constants().size()), tensor);
}

ValueId Conv(TestGraph& g, ValueId x, int64_t from, int64_t to) {
  const ValueId weight = AddConstant(g, "weight", at::randn({to, from, 3, 3}));
  const ValueId bias = AddConstant(g, "bias", at::randn({to}));
  return g.Call("aten::conv2d", {x, weight, bias});
}

ValueId Linear(TestGraph& g, ValueId x, int64_t from, int64_t to) {
  const ValueId weight = AddConstant(g, "weight", at::randn({to, from}));
  return g.Call("aten::linear", {x, weight, AddConstant(g, "bias", at::randn({to}))});
}

graph::Graph ConvolutionsAndNorms() {
  TestGraph g;
  ValueId x = Conv(g, g.Placeholder("x"), 3, 4);
  const ValueId mean = g.Constant("mean", at::randn({4}));
  const ValueId var = g.Constant("var", at::ones({4}));
  x = g.Call("aten::batch_norm", {x, nullptr, nullptr, mean, var, false, 0.1, 1e-5, true});
  x = Conv(g, g.Call("aten::relu_", {x}), 4, 4);
  x = g.Call("aten::add.Tensor", {x, g.Constant("shift", at::randn({4, 1, 1}))});
  x = g.Call("aten::mul.Tensor", {x, g.Constant("scale", at::randn({4, 1, 1}))});
  x = g.Call("aten::hardswish", {x});
  const ValueId pool = g.Call("aten::max_pool2d", {x, {2, 2}});
  g.Return({pool, g.Call("aten::dropout", {x, 0.5, false}), nullptr});
  return g.graph();
}

graph::Graph LinearLayers() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId a = Linear(g, x, 8, 4);
  const ValueId b = Linear(g, x, 8, 4);
  const ValueId sum = g.Call("aten::add.Tensor", {g.Call("aten::tanh", {a}), b});
  g.Return({g.Call("aten::softmax.int", {Linear(g, sum, 4, 4), 1})});
  return g.graph();
}

graph::Graph WhatCanBeSimplified() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId c = g.Constant("c", at::randn({2}));
  const ValueId folded = g.Call("aten::exp", {g.Call("aten::neg", {c})});
  const ValueId twice = g.Call("aten::add.Tensor", {g.Call("aten::sin", {x}), g.Call("aten::sin", {x})});
  g.Call("aten::cos", {x});
  const ValueId unchanged = g.Call("aten::mul.Tensor", {g.Call("aten::detach", {twice}), 1});
  g.Return({g.Call("aten::mul.Tensor", {unchanged, folded})});
  return g.graph();
}

/// The graph as a module whose attributes are the tensor constants: what a user of libtorch would freeze.
jit::Module AsModule(const graph::Graph& graph) {
  const std::shared_ptr<jit::Graph> body = BuildGraph(graph, {}).graph;
  auto unit = std::make_shared<jit::CompilationUnit>();
  jit::Module module(c10::QualifiedName("__torch__.Net"), unit);
  module.register_attribute("training", c10::BoolType::get(), false);
  jit::Value* self = body->insertInput(0, "self")->setType(module.type());
  for (const graph::TensorConstant& constant : graph.constants()) {
    const std::string& name = graph.value(constant.value).name;
    module.register_parameter(name, constant.tensor, /*is_buffer=*/false);
    for (jit::Node* node : body->nodes()) {
      if (node->kind() != c10::prim::Constant || node->output()->debugName() != name) continue;
      jit::Node* get = body->createGetAttr(self, name)->insertBefore(node);
      node->output()->replaceAllUsesWith(get->output());
      node->destroy();
      break;
    }
  }
  module.type()->addMethod(unit->create_function(c10::QualifiedName("__torch__.Net.forward"), body));
  return module;
}

/// With everything that may differ: nodes, types, and the numbers in constants, but no names.
std::string TextOf(const std::shared_ptr<jit::Graph>& graph) {
  const auto canonical = jit::Canonicalize(graph, /*keep_unique_names=*/false);
  std::string text = canonical->toString(/*print_source_locations=*/false);
  for (jit::Node* node : canonical->nodes()) {
    if (!node->hasAttribute(c10::attr::value) || node->kindOf(c10::attr::value) != jit::AttributeKind::t)
      continue;
    const at::Tensor tensor = node->t(c10::attr::value);
    const at::Tensor dense = (tensor.is_mkldnn() ? tensor.to_dense() : tensor).to(at::kDouble).contiguous();
    for (int64_t i = 0; i < dense.numel(); ++i) text += fmt::format("{} ", dense.data_ptr<double>()[i]);
  }
  return text;
}

/// What torch.jit.freeze and torch.jit.optimize_for_inference do.
std::string ByLibtorch(const graph::Graph& graph, ScriptStage stage) {
  jit::Module frozen = jit::freeze(AsModule(graph));
  std::shared_ptr<jit::Graph> body = frozen.get_method("forward").graph();
  if (stage == ScriptStage::kOfi) body = jit::optimize_for_inference(frozen).get_method("forward").graph();
  body->eraseInput(0);
  return TextOf(body);
}

std::string ByPasses(const graph::Graph& graph, ScriptStage stage, const char* off = nullptr) {
  BuiltGraph built = BuildGraph(graph, {});
  backend::SwitchBoard switches(off == nullptr ? std::vector<backend::SwitchOff>()
                                               : std::vector<backend::SwitchOff>{{off}});
  RunStagePasses(built.graph, stage, switches);
  return TextOf(built.graph);
}

TEST(PassesTest, AllOfThemTogetherAreWhatLibtorchDoes) {
  for (const graph::Graph& graph : {ConvolutionsAndNorms(), LinearLayers(), WhatCanBeSimplified()}) {
    EXPECT_EQ(ByPasses(graph, ScriptStage::kFreeze), ByLibtorch(graph, ScriptStage::kFreeze));
    EXPECT_EQ(ByPasses(graph, ScriptStage::kOfi), ByLibtorch(graph, ScriptStage::kOfi));
  }
}

TEST(PassesTest, StagePlainHasNone) {
  const graph::Graph graph = ConvolutionsAndNorms();
  EXPECT_EQ(ByPasses(graph, ScriptStage::kPlain), TextOf(BuildGraph(graph, {}).graph));
}

struct Effect {
  const char* pass;
  graph::Graph (*graph)();
  /// In the text of the graph if the pass is off, and not if it is on.
  const char* text;
};

class PassTest : public testing::TestWithParam<Effect> {};

TEST_P(PassTest, HasAnEffectThatItsSwitchTakesAway) {
  const Effect& effect = GetParam();
  EXPECT_THAT(ByPasses(effect.graph(), ScriptStage::kOfi), Not(HasSubstr(effect.text)));
  EXPECT_THAT(ByPasses(effect.graph(), ScriptStage::kOfi, effect.pass), HasSubstr(effect.text));
}

INSTANTIATE_TEST_SUITE_P(Passes, PassTest,
                         testing::Values(Effect{"peephole", WhatCanBeSimplified, "aten::mul(%4, %1)"},
                                         Effect{"eliminate_no_ops", WhatCanBeSimplified, "aten::detach"},
                                         Effect{"remove_dropout", ConvolutionsAndNorms, "aten::dropout"},
                                         Effect{"fold_conv_batchnorm", ConvolutionsAndNorms,
                                                "aten::batch_norm"},
                                         Effect{"convert_to_mkldnn", ConvolutionsAndNorms, "aten::conv2d"},
                                         Effect{"linear_transpose", LinearLayers, "aten::linear"}),
                         [](const auto& info) { return std::string(info.param.pass); });

}  // namespace
}  // namespace culprit::backends::torchscript
