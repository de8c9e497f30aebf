// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/output_plan.h"

#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "autograd/functional/untraceable.h"
#include "autograd/trace/trace.h"
#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using tests::ShortGraph;
using tests::ShortText;

std::string KindOf(const OutputSource& output) {
  switch (output.kind) {
    case OutputSource::Kind::kForward:
      return fmt::format("forward {}", output.index);
    case OutputSource::Kind::kInput:
      return fmt::format("input {}", output.index);
    case OutputSource::Kind::kReplayed:
      return fmt::format("replayed {}", output.index);
    case OutputSource::Kind::kConstant:
      return output.constant.isNone() ? "none" : "constant";
  }
  return "";
}

/// "computed x y; forward 0, input 1", then the replay if there is one. Inputs are matrices of 2 by 3.
std::string Plan(const std::string& text) {
  const graph::Graph graph = ShortGraph(text);
  std::vector<c10::IValue> inputs;
  for (size_t i = 0; i < graph.placeholders().size(); ++i) inputs.emplace_back(at::ones({2, 3}));
  const OutputPlan plan = Trace(graph, inputs).plan;
  std::string shown = "computed";
  for (const graph::ValueId id : plan.forward) shown += " " + graph.value(id).name;
  for (size_t i = 0; i < plan.outputs.size(); ++i) shown += (i == 0 ? "; " : ", ") + KindOf(plan.outputs[i]);
  shown += "\n";
  return plan.replay.nodes().empty() ? shown : shown + ShortText(plan.replay);
}

TEST(OutputPlanTest, WhatIsComputedIsReturnedByForward) {
  EXPECT_EQ(Plan("x\n"
                 "y = relu.default(x)\n"
                 "z = neg.default(y)\n"
                 "return (z, y)"),
            "computed z y; forward 0, forward 1\n");
}

TEST(OutputPlanTest, OneTensorReturnedTwiceIsComputedOnce) {
  EXPECT_EQ(Plan("x\ny = relu.default(x)\nreturn (y, y)"), "computed y; forward 0, forward 0\n");
}

TEST(OutputPlanTest, AnInputIsReturnedItself) {
  EXPECT_EQ(Plan("x, y\nreturn (y,)"), "computed; input 1\n");
}

TEST(OutputPlanTest, AWrittenInputIsReturnedItself) {
  EXPECT_EQ(Plan("x\ny = add_.Tensor(x, 1)\nreturn (y,)"), "computed; input 0\n");
}

TEST(OutputPlanTest, AViewOfAnInputIsMadeAgain) {
  EXPECT_EQ(Plan("x\ny = view.default(x, [-1])\nreturn (y,)"),
            "computed; replayed 0\n"
            "y = view.default(x, [-1])\n"
            "return (y,)\n");
}

TEST(OutputPlanTest, AViewOfWhatIsComputedIsMadeAgainFromIt) {
  EXPECT_EQ(Plan("x\n"
                 "y = relu.default(x)\n"
                 "z = t.default(y)\n"
                 "return (z, y)"),
            "computed y; replayed 0, forward 0\n"
            "z = t.default(y)\n"
            "return (z,)\n");
}

TEST(OutputPlanTest, TheBaseOfAViewIsComputedEvenIfItIsNotReturned) {
  EXPECT_EQ(Plan("x\n"
                 "y = relu.default(x)\n"
                 "z = select.int(y, 0, 1)\n"
                 "w = slice.Tensor(z, 0, 1)\n"
                 "return (w,)"),
            "computed y; replayed 0\n"
            "z = select.int(y, 0, 1)\n"
            "w = slice.Tensor(z, 0, 1)\n"
            "return (w,)\n");
}

TEST(OutputPlanTest, WritesAreNotMadeAgain) {
  EXPECT_EQ(Plan("x\n"
                 "y = relu.default(x)\n"
                 "z = t.default(y)\n"
                 "w = add_.Tensor(z, 1)\n"
                 "return (w,)"),
            "computed y; replayed 0\n"
            "z = t.default(y)\n"
            "return (z,)\n");
}

TEST(OutputPlanTest, ElementsOfAListAreMadeAgain) {
  EXPECT_EQ(Plan("x\n"
                 "l = unbind.int(x)\n"
                 "y = torch.ops.aten.alias.default(l[1])\n"
                 "return (y,)"),
            "computed; replayed 0\n"
            "l = unbind.int(x)\n"
            "getitem = l[1]\n"
            "y = alias.default(getitem)\n"
            "return (y,)\n");
}

TEST(OutputPlanTest, ElementsOfAListThatIsComputedAreReturnedByForward) {
  EXPECT_EQ(Plan("x\n"
                 "l = _foreach_exp.default([x, x])\n"
                 "y = torch.ops.aten.t.default(l[0])\n"
                 "return (l[1], y, l[-1])"),
            "computed getitem_1 getitem; forward 0, replayed 0, forward 0\n"
            "y = t.default(getitem)\n"
            "return (y,)\n");
}

TEST(OutputPlanTest, AConstantIsReturnedAsItIs) {
  EXPECT_EQ(Plan("x\nreturn (None, 3)"), "computed; none, constant\n");
}

TEST(OutputPlanTest, AnOutputThatLiesOtherwiseByAWriteIsRefused) {
  try {
    Plan(
        "x\n"
        "y = relu.default(x)\n"
        "z = select.int(y, 0, 1)\n"
        "w = unsqueeze_.default(z, 0)\n"
        "v = t.default(w)\n"
        "return (v,)");
    FAIL();
  } catch (const Untraceable& reason) {
    EXPECT_STREQ(reason.what(), "aten::unsqueeze_ changes how an output lies in memory");
  }
}

}  // namespace
}  // namespace culprit::autograd
