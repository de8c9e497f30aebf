// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/explode.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/fake_checks.h"

namespace culprit::minify {
namespace {

using graph::NodeId;
using graph::PlaceholderKind;
using graph::ValueId;
using tests::OperatorsOf;
using tests::TestGraph;

struct Case {
  Subject subject;
  Exploded exploded;
};

Case MakeCase(TestGraph& g, std::vector<c10::IValue> inputs) {
  Subject subject = *Subject::Make({g.graph(), std::move(inputs)});
  Exploded exploded = Explode(subject);
  EXPECT_TRUE(graph::Verify(exploded.program.graph).ok());
  EXPECT_EQ(exploded.makers.size(), exploded.program.graph.outputs().size());
  return {std::move(subject), std::move(exploded)};
}

/// Every output is what its maker has made in the run.
void ExpectRecordedOutputs(const Case& made) {
  const std::vector<c10::IValue> outputs =
      graph::Interpreter(made.exploded.program.graph).Run(graph::CopyAll(made.exploded.program.inputs));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NodeId maker = made.exploded.makers[i];
    const ValueId result = made.subject.graph().node(maker).results[0];
    if (made.subject.recording().value(result).is_list) continue;
    const c10::IValue recorded = *made.subject.recording().ValueAt(result, Index(maker) + 1);
    EXPECT_TRUE(graph::SameTensor(outputs[i].toTensor(), recorded.toTensor())) << "output " << i;
  }
}

at::Tensor Numbers() {
  return at::arange(-3, 3, at::kFloat).view({2, 3});
}

TEST(ExplodeTest, EveryOperatorIsAnOutputOnRecordedOperands) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId a = g.Call("aten::sin", {x});
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::exp", {a}), x})});
  const Case made = MakeCase(g, {Numbers()});
  EXPECT_EQ(OperatorsOf(made.exploded.program), (std::vector<std::string>{"sin", "exp", "add"}));
  EXPECT_EQ(made.exploded.makers, (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2)}));
  EXPECT_EQ(made.exploded.program.inputs.size(), 3) << "x, what sin made, what exp made";
  for (const graph::Node& node : made.exploded.program.graph.nodes()) {
    for (const graph::Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) {
        EXPECT_NE(made.exploded.program.graph.value(id).origin, graph::Origin::kNode);
      });
  }
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, ParametersAndConstantsKeepTheirKindAndAreShared) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId c = g.Constant("_tensor_constant0", Numbers());
  const ValueId a = g.Call("aten::add.Tensor", {g.Call("aten::mul.Tensor", {x, w}), c});
  g.Return({g.Call("aten::sub.Tensor", {g.Call("aten::mul.Tensor", {a, w}), c})});
  const Case made = MakeCase(g, {Numbers(), Numbers()});
  const graph::Graph& graph = made.exploded.program.graph;
  EXPECT_EQ(graph.constants().size(), 1);
  EXPECT_EQ(std::ranges::count(graph.placeholders(), PlaceholderKind::kParameter,
                               [](const graph::Placeholder& placeholder) { return placeholder.kind; }),
            1);
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, WritersHaveCopiesOfTheirOwn) {
  TestGraph g;
  const ValueId a = g.Call("aten::sin", {g.Placeholder("x")});
  const ValueId before = g.Call("aten::neg", {a});
  const ValueId written = g.Call("aten::relu_", {a});
  g.Return({before, g.Call("aten::exp", {written}), g.Call("aten::cos", {a})});
  const Case made = MakeCase(g, {Numbers()});
  EXPECT_EQ(OperatorsOf(made.exploded.program),
            (std::vector<std::string>{"sin", "neg", "relu_", "exp", "cos"}));
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, AWriterIntoAParameterLeavesTheOthersTheirs) {
  TestGraph g;
  const ValueId w = g.Placeholder("w", PlaceholderKind::kBuffer);
  const ValueId a = g.Call("aten::neg", {w});
  g.Call("aten::add_.Tensor", {w, a});
  g.Return({g.Call("aten::exp", {w})});
  const Case made = MakeCase(g, {Numbers()});
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, ViewsKeepTheirStrides) {
  TestGraph g;
  const ValueId t = g.Call("aten::t", {g.Placeholder("x")});
  g.Return({g.Call("aten::sin", {t})});
  const Case made = MakeCase(g, {Numbers()});
  EXPECT_EQ(made.exploded.program.inputs[1].toTensor().strides(), (at::IntArrayRef{1, 3}));
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, TheElementsOfAListAreOutputs) {
  TestGraph g;
  const ValueId list = g.Call("aten::split.Tensor", {g.Placeholder("x"), 1});
  const ValueId second = g.Call("python::getitem.Tensor", {list, 1});
  g.Return({g.Call("aten::sin", {second}), g.Call("aten::cat", {list})});
  const Case made = MakeCase(g, {Numbers()});
  EXPECT_EQ(made.exploded.makers, (std::vector<NodeId>{NodeId(0), NodeId(0), NodeId(2), NodeId(3)}));
  ExpectRecordedOutputs(made);
}

TEST(ExplodeTest, RandomOperatorsAreLeftOut) {
  TestGraph g;
  g.Return({g.Call("aten::sin", {g.Call("aten::rand_like", {g.Placeholder("x")})})});
  EXPECT_EQ(OperatorsOf(MakeCase(g, {Numbers()}).exploded.program), std::vector<std::string>{"sin"});
}

}  // namespace
}  // namespace culprit::minify
