// SPDX-License-Identifier: Apache-2.0
//
// The interface of plug-ins from both sides, with the plug-in tests/backends/plugins/odd.cc: what it sees of
// a graph, what it may ask for, and what happens when it does wrong.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends {
namespace {

using backend::Values;
using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;
using testing::EndsWith;
using testing::HasSubstr;

std::string PathOf(const std::string& name) {
  return fmt::format("{}/lib{}.so", CULPRIT_PLUGINS, name);
}

base::Result<std::unique_ptr<backend::Backend>> OpenText(const std::string& settings) {
  return Open(*backend::ParseSpec(fmt::format("{}:{}", PathOf("odd_none"), settings)));
}

template <typename Function>
Function FunctionOfPlugin(const char* name) {
  void* library = dlopen(PathOf("odd_none").c_str(), RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(dlsym(library, name));
}
std::string WhatPluginSaw() {
  return FunctionOfPlugin<const char* (*)()>("WhatPluginSaw")();
}
int CountOfCompiled() {
  return FunctionOfPlugin<int (*)()>("CountOfCompiled")();
}

// x + x, with as many outputs as asked for.
graph::Graph Sum(size_t outputs = 1) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId sum = g.Call("aten::add.Tensor", {x, x});
  g.graph().SetOutputs(std::vector<graph::Argument>(outputs, graph::Argument(sum)));
  return g.graph();
}

Values CompileAndCall(const std::string& settings, const graph::Graph& graph, Values inputs) {
  auto opened = OpenText(settings);
  if (!opened.ok()) throw std::runtime_error(opened.error().Render());
  return (*opened)->Compile(graph, inputs)->Call(inputs);
}

std::string MessageOf(const std::string& settings) {
  try {
    CompileAndCall(settings, Sum(), {at::ones({2, 3})});
    return "nothing was thrown";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(OddPluginsTest, WalksTheGraph) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId weight = g.Placeholder("weight", PlaceholderKind::kParameter);
  const ValueId running = g.Placeholder("running", PlaceholderKind::kBuffer);
  const ValueId size = g.Placeholder("size", PlaceholderKind::kInput, ValueKind::kInt);
  const ValueId generator = g.Placeholder("generator", PlaceholderKind::kInput, ValueKind::kGenerator);
  const ValueId constant = g.Constant("constant", at::ones({2}));
  const ValueId cat = g.Call("aten::cat", {{x, weight}, 1});
  const ValueId add = g.Call("aten::add.Tensor", {cat, 2.5},
                             {{"alpha", graph::Argument(c10::IValue(c10::complex<double>(0, 3)))}});
  const ValueId full =
      g.Call("aten::full", {{size, 4}, true}, {{"dtype", at::kHalf}, {"device", at::Device("cpu")}});
  const ValueId div = g.Call("aten::div.Tensor_mode", {running, constant}, {{"rounding_mode", "floor"}});
  const ValueId copy = g.Call("aten::clone", {x}, {{"memory_format", at::MemoryFormat::ChannelsLast}});
  const auto max = g.CallAll("aten::max.dim", {add, 0});
  const ValueId coins = g.Call("aten::bernoulli", {x}, {{"generator", generator}});
  g.Return({max[0], full, div, copy, coins, nullptr, 7});
  auto opened = OpenText("does=walk");
  ASSERT_TRUE(opened.ok()) << opened.error().Render();
  (*opened)->Compile(g.graph(), {at::zeros({3, 2}).t(), at::zeros({2, 1}).expand({2, 3}),
                                 at::zeros({2}, at::kDouble), 4, at::detail::createCPUGenerator(1)});
  EXPECT_EQ(WhatPluginSaw(),
            "x:0:0 = 6cpu[2/1 3/2 ]?\n"
            "weight:0:1 = 6cpu[2/1 3/0 ]?\n"
            "running:0:2 = 7cpu[2/1 ]?\n"
            "size:2:0 = int3 4\n"
            "generator:7:0 = opaque\n"
            "cat = aten::cat.(tensors [x,weight,], dim int3 1)\n"
            "add = aten::add.Tensor(self cat, other float 2.500000, alpha complex 3.000000)\n"
            "full = aten::full.(size [size,int3 4,], fill_value int5 1, dtype int8 5, layout none, device "
            "device cpu, "
            "pin_memory none)\n"
            "div = aten::div.Tensor_mode(self running, other constant, rounding_mode string floor)\n"
            "clone = aten::clone.(self x, memory_format int10 2)\n"
            "max_1 max_2 = aten::max.dim(self add, dim int3 0, keepdim int5 0)\n"
            "bernoulli = aten::bernoulli.(self x, generator generator)\n"
            "return max_1 full div clone bernoulli none int3 7\n");
}

TEST(OddPluginsTest, SeesTheSymbolsOfSizes) {
  graph::Graph graph = Sum();
  graph.SetSymbols(0, {"s0", ""});
  EXPECT_ANY_THROW(CompileAndCall("does=walk", graph, {at::ones({2, 3})})) << "it computes nothing";
  EXPECT_THAT(WhatPluginSaw(), HasSubstr(" with s0\n"));
}

TEST(OddPluginsTest, SizesAreFixedUnlessThePluginSaysOtherwise) {
  EXPECT_FALSE((*OpenText("does=walk"))->takes_symbols());
  const auto pointwise = Open(*backend::ParseSpec(PathOf("pointwise")));
  ASSERT_TRUE((*pointwise)->takes_symbols());
  graph::Graph graph = Sum();
  graph.SetSymbols(0, {"s0"});
  const auto compiled = (*pointwise)->Compile(graph, {at::ones({2})});
  for (const int64_t size : {2, 3, 7}) {
    Values inputs = {at::ones({size})};
    EXPECT_TRUE(compiled->Call(inputs)[0].toTensor().equal(at::ones({size}).mul(2)));
  }
}

TEST(OddPluginsTest, ReadsTheGraphAsText) {
  auto opened = OpenText("does=text");
  (*opened)->Compile(Sum(), {at::ones({2})});
  EXPECT_THAT(WhatPluginSaw(),
              HasSubstr("        add = torch.ops.aten.add.Tensor(x, x)\n        return (add,)\n"));
}

TEST(OddPluginsTest, ApplicationsOfASwitchAreCountedAnewForEachGraph) {
  auto opened = OpenText("does=switches,off=first@2,off=second");
  for (int i = 0; i < 2; ++i) {
    (*opened)->Compile(Sum(), {at::ones({2})});
    EXPECT_EQ(WhatPluginSaw(), "on off on on ");
  }
}

TEST(OddPluginsTest, FrozenParametersKeepTheirValues) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId weight = g.Placeholder("weight", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::mul.Tensor", {x, weight})});
  auto opened = OpenText("does=freeze");
  EXPECT_EQ((*opened)->parameters(), backend::Parameters::kFrozen);
  EXPECT_EQ((*opened)->calls(), 3);
  Values inputs = {at::ones({}), at::ones({})};
  auto compiled = (*opened)->Compile(g.graph(), inputs);
  EXPECT_THAT(WhatPluginSaw(), HasSubstr("x:0:0 = 6cpu[]?\nweight:0:1 = 6cpu[]\n"));
  inputs[1].toTensor().fill_(5);
  EXPECT_EQ(compiled->Call(inputs).at(0).toTensor().item<float>(), 1);
}

TEST(OddPluginsTest, WhatWasCompiledIsDestroyed) {
  auto opened = OpenText("does=forget");
  const int before = CountOfCompiled();
  auto compiled = (*opened)->Compile(Sum(), {at::ones({2})});
  EXPECT_EQ(CountOfCompiled(), before + 1);
  compiled.reset();
  EXPECT_EQ(CountOfCompiled(), before);
}

TEST(OddPluginsTest, OutputsMayShareMemory) {
  const at::Tensor x = at::arange(6, at::kFloat).view({2, 3});
  const Values outputs = CompileAndCall("does=share", Sum(3), {x});
  EXPECT_TRUE(outputs[0].toTensor().is_same(x));
  EXPECT_TRUE(outputs[1].toTensor().equal(x.select(1, 1)));
  EXPECT_EQ(outputs[1].toTensor().data_ptr(), x.select(1, 1).data_ptr());
  EXPECT_TRUE(outputs[2].toTensor().is_same(outputs[1].toTensor()));
}

TEST(OddPluginsTest, NumbersGoInAndOut) {
  tests::TestGraph g;
  const ValueId size = g.Placeholder("size", PlaceholderKind::kInput, ValueKind::kInt);
  const ValueId scale = g.Placeholder("scale", PlaceholderKind::kInput, ValueKind::kFloat);
  const ValueId flag = g.Placeholder("flag", PlaceholderKind::kInput, ValueKind::kBool);
  g.Return({size, scale, flag, size});
  const Values outputs = CompileAndCall("does=numbers", g.graph(), {-4, 0.5, true});
  EXPECT_EQ(outputs[0].toInt(), -4);
  EXPECT_EQ(outputs[1].toDouble(), 0.5);
  EXPECT_EQ(outputs[2].toBool(), true);
  EXPECT_EQ(outputs[3].toIntVector(), std::vector<int64_t>{-4});
}

TEST(OddPluginsTest, OutputsMayHaveStrides) {
  const at::Tensor made = CompileAndCall("does=strides", Sum(), {at::ones({1})}).at(0).toTensor();
  EXPECT_EQ(made.strides(), (at::IntArrayRef{1, 2}));
  EXPECT_TRUE(made.equal(at::arange(6, at::kFloat).view({3, 2}).t()));
}

TEST(OddPluginsTest, ErrorsAreTheirMessages) {
  EXPECT_EQ(MessageOf("does=refuse"), "plug-in 'odd': no code for aten::add");
  EXPECT_EQ(MessageOf("does=fail"), "plug-in 'odd': division by 0");
  EXPECT_EQ(MessageOf("does=fail_silently"), "plug-in 'odd': failed with status 7 and no message");
  EXPECT_EQ(MessageOf("does=throw"), "thrown by the plug-in");
  EXPECT_EQ(MessageOf("does=refuse_option"),
            fmt::format("backend '{0}': error: option 'does' is 'refuse_option'\n"
                        "  help: to see its options and switches, run: culprit backends {0}",
                        PathOf("odd_none")));
}

TEST(OddPluginsTest, WhatComesBackIsChecked) {
  EXPECT_EQ(MessageOf("does=forget"), "plug-in 'odd': output 0 of 1 was never made");
  EXPECT_EQ(MessageOf("does=bad_dtype"), "plug-in 'odd': 13 is no dtype of an output");
  EXPECT_EQ(MessageOf("does=bad_size"), "plug-in 'odd': -1 is no size or stride");
  EXPECT_EQ(MessageOf("does=bad_output"), "plug-in 'odd': there is no output 9; the graph has 1");
  EXPECT_EQ(MessageOf("does=twice"), "plug-in 'odd': an argument of kind 2 cannot be set as an output");
  EXPECT_EQ(MessageOf("does=share_nothing"), "plug-in 'odd': there is no tensor to share as output 0");
  EXPECT_THAT(MessageOf("does=share_beyond"), HasSubstr("out of bounds"));
  EXPECT_THAT(MessageOf("does=too_large"), testing::StartsWith("plug-in 'odd': "));
  EXPECT_EQ(MessageOf("does=allocate_early"), "plug-in 'odd': outputs are made in 'call' only");
  EXPECT_EQ(MessageOf("does=ask_unknown_switch"),
            "plug-in 'odd': it asks for the switch 'unknown', which it does not describe");
}

TEST(OddPluginsTest, TensorsThatAreNoPlainMemoryAreRefused) {
  const auto message_of = [](const at::Tensor& input) -> std::string {
    try {
      CompileAndCall("does=forget", Sum(), {input});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message_of(at::ones({2}).to_sparse()), "input 'x' is sparse, which a plug-in cannot read");
  EXPECT_EQ(message_of(at::ones({2}, at::kComplexFloat).conj()),
            "input 'x' is lazily conjugated, which a plug-in cannot read");
}

std::string LoadErrorOf(const std::string& name) {
  const auto opened = Open({PathOf(name)});
  return opened.ok() ? "opened" : opened.error().Render();
}

TEST(OddPluginsTest, TheHandshakeIsChecked) {
  EXPECT_EQ(LoadErrorOf("nowhere"), PathOf("nowhere") + ": error: there is no such file");
  EXPECT_EQ(LoadErrorOf("odd_without_entry"),
            PathOf("odd_without_entry") +
                ": error: is no plug-in of Culprit: it has no function 'culprit_plugin'\n"
                "  help: to see how a plug-in is written, read docs/backends.md");
  EXPECT_EQ(LoadErrorOf("odd_other_version"),
            PathOf("odd_other_version") +
                ": error: the plug-in is for version 2 of culprit/backend.h, and this is version 1\n"
                "  help: build it with the header of this Culprit");
  EXPECT_THAT(LoadErrorOf("odd_without_call"), HasSubstr("error: the plug-in has no 'call'\n"));
  EXPECT_THAT(LoadErrorOf("odd_too_small"), HasSubstr("error: struct_size of the plug-in is "));
}

TEST(OddPluginsTest, ListedEvenIfItCannotBeLoaded) {
  const std::vector<Listed> listed =
      List(PathOf("odd_none") + "::" + PathOf("odd_other_version") + ":nowhere.so");
  const size_t built_in = List("").size();
  ASSERT_EQ(listed.size(), built_in + 3);
  const Listed* plugins = &listed[built_in];
  EXPECT_EQ(plugins[0].description->line, "odd: a plug-in for tests");
  EXPECT_EQ(plugins[0].description->options.at(0).default_value, "walk");
  EXPECT_EQ(plugins[0].description->switches.size(), 2u);
  EXPECT_THAT(plugins[1].name, EndsWith("libodd_other_version.so"));
  EXPECT_THAT(plugins[1].description.error().message, HasSubstr("is for version 2"));
  EXPECT_EQ(plugins[2].name, "./nowhere.so");
  EXPECT_FALSE(plugins[2].description.ok());
}

/// sin(x) * w of the plug-in that is the example, and the gradients.
Values ProductWithGradients(const std::string& backend) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::sin", {x}), w})});
  const Values inputs = {at::arange(6.0).view({2, 3}).requires_grad_(),
                         at::arange(6.0).div(7).view({2, 3}).requires_grad_()};
  Values given = inputs;
  const auto opened = Open(*backend::ParseSpec(backend));
  if (!opened.ok()) throw std::runtime_error(opened.error().Render());
  const Values outputs = (*opened)->Compile(g.graph(), inputs)->Call(given);
  outputs[0].toTensor().backward(at::ones({2, 3}));
  return {outputs[0].toTensor().detach(), inputs[0].toTensor().grad(), inputs[1].toTensor().grad()};
}

TEST(PluginBelowAutogradTest, CompilesForwardAndBackward) {
  const Values expected = ProductWithGradients("eager");
  const Values actual = ProductWithGradients(PathOf("pointwise") + ":graphs=aot");
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(at::allclose(actual[i].toTensor(), expected[i].toTensor(), 1e-6, 1e-7)) << i;
}

TEST(PluginBelowAutogradTest, SeesTheGraphsOfAutogradAndWhatItThrowsComesOut) {
  tests::TestGraph g;
  g.Return({g.Call("aten::sin", {g.Placeholder("x")})});
  const Values inputs = {at::ones({2}).requires_grad_()};
  const auto opened = OpenText("does=walk,graphs=aot");
  ASSERT_TRUE(opened.ok()) << opened.error().Render();
  (*opened)->Compile(g.graph(), inputs);
  EXPECT_THAT(WhatPluginSaw(), HasSubstr("sin = aten::sin."));
  EXPECT_THROW((*OpenText("does=throw,graphs=aot"))->Compile(g.graph(), inputs), std::exception);
}

}  // namespace
}  // namespace culprit::backends
