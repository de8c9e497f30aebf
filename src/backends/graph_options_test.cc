// SPDX-License-Identifier: Apache-2.0
#include "backends/graph_options.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends {
namespace {

using backend::Values;
using graph::ValueId;
using testing::ElementsAre;

std::vector<std::string> OptionsOf(const std::string& name) {
  const auto description = Describe(name);
  std::vector<std::string> names;
  for (const backend::OptionDescription& option : description->options) names.push_back(option.name);
  return names;
}

TEST(GraphOptionsTest, WhoTakesOnlyCapturedGraphsHasNoOptionsForThem) {
  EXPECT_THAT(OptionsOf("eager"), testing::IsEmpty());
  EXPECT_EQ(Open(*backend::ParseSpec("eager:graphs=aot")).error().message, "unknown option 'graphs'");
}

TEST(GraphOptionsTest, WhoTakesOnlyThoseOfAutogradHasNoChoice) {
  EXPECT_THAT(OptionsOf("aot-eager"), ElementsAre("partition"));
  const auto description = Describe("aot-eager");
  const backend::OptionDescription& option = description->options[0];
  EXPECT_EQ(option.default_value, "default");
  EXPECT_THAT(option.choices, ElementsAre("default", "min-cut"));
  EXPECT_EQ(
      option.line,
      "default saves what autograd would save; min-cut saves the fewest bytes and recomputes what is cheap");
}

TEST(GraphOptionsTest, WhoTakesBothHasAChoiceBesideItsOwnOptions) {
  EXPECT_THAT(OptionsOf("torchscript"), testing::IsSupersetOf({"stage", "graphs", "partition"}));
}

TEST(GraphOptionsTest, AnUnknownValueIsAnErrorWithTheChoices) {
  EXPECT_EQ(Open(*backend::ParseSpec("aot-eager:partition=best")).error().message,
            "option 'partition' is one of default, min-cut, not 'best'");
  EXPECT_EQ(Open(*backend::ParseSpec("torchscript:graphs=joint")).error().message,
            "option 'graphs' is one of captured, aot, not 'joint'");
}

std::vector<std::string> WaysOf(const std::string& text, std::vector<backend::Graphs> graphs) {
  backend::Description description{.name = "mine"};
  description.graphs = std::move(graphs);
  std::vector<std::string> ways;
  const auto specs = WaysInto(description, *backend::ParseSpec(text));
  for (const backend::Spec& way : *specs) ways.push_back(way.ToString());
  return ways;
}

TEST(GraphOptionsTest, WhoTakesBothIsAskedBelowAutogradBeforeAbove) {
  using enum backend::Graphs;
  EXPECT_THAT(WaysOf("mine", {kAfterAutograd, kCaptured, kBelow}),
              ElementsAre("mine", "mine:graphs=captured"));
  EXPECT_THAT(WaysOf("mine", {kCaptured, kAfterAutograd}), ElementsAre("mine"));
  EXPECT_THAT(WaysOf("mine", {kAfterAutograd}), ElementsAre("mine"));
}

TEST(GraphOptionsTest, AWayThatTheUserHasChosenIsTheOnlyOne) {
  using enum backend::Graphs;
  const std::vector<backend::Graphs> both = {kAfterAutograd, kCaptured};
  EXPECT_THAT(WaysOf("mine:graphs=aot", both), ElementsAre("mine:graphs=aot"));
  EXPECT_THAT(WaysOf("mine:graphs=captured", both), ElementsAre("mine:graphs=captured"));
  EXPECT_THAT(WaysOf("mine:partition=min-cut", both), ElementsAre("mine:partition=min-cut"));
}

/// tanh(x @ w) * w.sum(), with the gradients of x and w behind it.
Values WithGradients(const std::string& backend) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", graph::PlaceholderKind::kParameter);
  const ValueId tanh = g.Call("aten::tanh", {g.Call("aten::mm", {x, w})});
  g.Return({g.Call("aten::mul.Tensor", {tanh, g.Call("aten::sum", {w})})});
  const Values inputs = {at::arange(6.0).div(7).view({2, 3}).requires_grad_(),
                         at::arange(12.0).div(-9).view({3, 4}).requires_grad_()};
  auto opened = Open(*backend::ParseSpec(backend));
  if (!opened.ok()) throw std::runtime_error(opened.error().Render());
  const auto compiled = (*opened)->Compile(g.graph(), inputs);
  Values given = inputs;
  Values results = compiled->Call(given);
  results[0].toTensor().sum().backward();
  for (const c10::IValue& input : inputs) results.emplace_back(input.toTensor().grad());
  results[0] = results[0].toTensor().detach();
  return results;
}

TEST(GraphOptionsTest, EveryBackendGivesTheGradientsOfAutograd) {
  const Values expected = WithGradients("eager");
  for (const char* backend : {"aot-eager", "aot-eager:partition=min-cut", "torchscript:graphs=aot",
                              "torchscript:graphs=aot,partition=min-cut", "torchscript:graphs=captured"}) {
    const Values actual = WithGradients(backend);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(at::allclose(actual[i].toTensor(), expected[i].toTensor(), 1e-6, 1e-7))
          << backend << " " << i;
  }
}

TEST(GraphOptionsTest, AotEagerGivesThemBitForBit) {
  const Values expected = WithGradients("eager");
  for (const char* backend : {"aot-eager", "aot-eager:partition=min-cut"}) {
    const Values actual = WithGradients(backend);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(graph::SameTensor(actual[i].toTensor(), expected[i].toTensor())) << backend << " " << i;
  }
}

}  // namespace
}  // namespace culprit::backends
