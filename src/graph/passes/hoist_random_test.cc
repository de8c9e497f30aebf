// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/hoist_random.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <limits>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// Hoists, and checks that two runs of the hoisted graph both give what the recorded run drew and computed.
Graph HoistAndCheck(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  const Recording recording = Record(graph, CopyAll(inputs));
  const HoistedGraph hoisted = *HoistRandom(graph, recording);
  EXPECT_TRUE(Verify(hoisted.graph).ok());
  for (int run = 0; run < 2; ++run) {
    std::vector<c10::IValue> all = CopyAll(inputs);
    for (c10::IValue& added : CopyAll(hoisted.added_inputs)) all.push_back(added);
    const std::vector<c10::IValue> outputs = Interpreter(hoisted.graph).Run(std::move(all));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const c10::IValue expected = *recording.ValueAt(graph.outputs()[i].value(), graph.nodes().size());
      EXPECT_TRUE(SameTensor(outputs[i].toTensor(), expected.toTensor())) << "output " << i;
    }
  }
  for (const Node& node : hoisted.graph.nodes()) EXPECT_FALSE(DrawsRandomNumbers(node));
  return hoisted.graph;
}

std::string RefusalOf(const Graph& graph, std::vector<c10::IValue> inputs) {
  const auto hoisted = HoistRandom(graph, Record(graph, std::move(inputs)));
  return hoisted.ok() ? "not refused" : hoisted.error().message;
}

at::Tensor Numbers() {
  return at::arange(12).to(at::kFloat).reshape({3, 4}).sub(5);
}

TEST(HoistRandomTest, SamplesBecomePlaceholdersOfTheSameName) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId rand = g.Call("aten::rand", {{3, 4}});
  const ValueId like = g.Call("aten::randn_like", {x});
  const ValueId order = g.Call("aten::randperm", {3});
  const ValueId coins = g.Call("aten::bernoulli.p", {x, 0.5});
  g.Return({g.Call("aten::add.Tensor", {rand, like}), order, coins});
  const Graph hoisted = HoistAndCheck(g.graph(), {Numbers()});
  EXPECT_EQ(hoisted.nodes().size(), 1);
  ASSERT_EQ(hoisted.placeholders().size(), 5);
  EXPECT_EQ(hoisted.value(hoisted.placeholders()[1].value).name, "rand");
}

TEST(HoistRandomTest, ASampleWrittenOverLaterIsFedAsItWasDrawn) {
  TestGraph g;
  const ValueId rand = g.Call("aten::rand", {{3}});
  const ValueId doubled = g.Call("aten::mul.Tensor", {rand, 2});
  g.Call("aten::zero_", {rand});
  g.Return({doubled, rand});
  HoistAndCheck(g.graph(), {});
}

TEST(HoistRandomTest, SamplesDrawnInPlaceAreCopiedIn) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId noise = g.Call("aten::empty_like", {x});
  const ValueId view = g.Call("aten::t", {noise});
  const ValueId drawn = g.Call("aten::bernoulli_.float", {noise, 0.5});
  const ValueId scaled = g.Call("aten::div_.Scalar", {drawn, 0.5});
  g.Return({g.Call("aten::mul.Tensor", {x, scaled}), view});
  const Graph hoisted = HoistAndCheck(g.graph(), {Numbers()});
  EXPECT_EQ(hoisted.nodes()[2].op->qualified_name(), "aten::copy_");
}

TEST(HoistRandomTest, NativeDropoutKeepsItsMask) {
  TestGraph g;
  const auto dropped = g.CallAll("aten::native_dropout", {g.Placeholder("x"), 0.3, true});
  g.Return({dropped[0], dropped[1]});
  HoistAndCheck(g.graph(), {Numbers()});
}

TEST(HoistRandomTest, DropoutKeepsItsMaskAlsoWhereItCannotBeSeen) {
  for (const char* op : {"aten::dropout", "aten::feature_dropout", "aten::dropout_"}) {
    for (const double p : {0.0, 0.3, 1.0}) {
      TestGraph g;
      g.Return({g.Call(op, {g.Placeholder("x"), p, true})});
      const float inf = std::numeric_limits<float>::infinity();
      HoistAndCheck(g.graph(),
                    {at::tensor({0.0F, 1.0F, -2.0F, inf, inf, inf, -inf, 1e-44F}).reshape({2, 4})});
    }
  }
}

TEST(HoistRandomTest, DropoutThatIsSwitchedOffStays) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId a = g.Call("aten::dropout", {x, 0.5, false});
  const auto b = g.CallAll("aten::native_dropout", {x, 0.5, false});
  const ValueId c = g.Call("aten::rrelu", {x});
  g.Return({a, b[0], c});
  EXPECT_TRUE(HoistAndCheck(g.graph(), {Numbers()}) == g.graph());
}

TEST(HoistRandomTest, WhatCannotBeHoistedIsRefusedByName) {
  TestGraph normal;
  const ValueId mean = normal.Placeholder("x");
  normal.Return({normal.Call("aten::normal.Tensor_float", {mean, 2.0})});
  EXPECT_EQ(RefusalOf(normal.graph(), {Numbers()}),
            "aten::normal.Tensor_float draws random numbers that cannot be made inputs");
  TestGraph rrelu;
  rrelu.Return({rrelu.Call("aten::rrelu", {rrelu.Placeholder("x"), 0.1, 0.3, true})});
  EXPECT_EQ(RefusalOf(rrelu.graph(), {Numbers()}),
            "aten::rrelu draws random numbers that cannot be made inputs");
}

TEST(HoistRandomTest, DropoutHiddenInsideALayerIsRefused) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::scaled_dot_product_attention", {x, x, x, nullptr, 0.5})});
  EXPECT_EQ(RefusalOf(g.graph(), {at::ones({2, 3, 4})}),
            "aten::scaled_dot_product_attention draws random numbers that cannot be made inputs");
}

}  // namespace
}  // namespace culprit::graph
