// SPDX-License-Identifier: Apache-2.0
#include "check/run/graph_model.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "check/run/run_model.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::TestGraph;

TEST(GraphModelTest, GivesTheOutputsAsATuple) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mul.Tensor", {x, 2.0}), x});
  GraphModel model(g.graph());
  std::vector<c10::IValue> inputs = {at::ones({2})};
  const c10::IValue outputs = model.Call(inputs);
  EXPECT_EQ(outputs.toTupleRef().elements().size(), 2);
  EXPECT_TRUE(outputs.toTupleRef().elements()[0].toTensor().equal(at::full({2}, 2.0)));
}

TEST(GraphModelTest, RunsFromTheUntouchedGraph) {
  TestGraph g;
  const at::Tensor constant = at::ones({2});
  g.Return({g.Call("aten::add.Tensor", {g.Placeholder("x"), g.Constant("c", constant)})});
  GraphModel model(g.graph());
  constant.fill_(100);
  g.Return({});
  std::vector<c10::IValue> inputs = {at::ones({2})};
  const c10::IValue outputs = model.Call(inputs);
  EXPECT_TRUE(outputs.toTupleRef().elements().at(0).toTensor().equal(at::full({2}, 2.0)));
}

TEST(GraphModelTest, ConstantsThatShareMemoryStillDo) {
  TestGraph g;
  const at::Tensor base = at::ones({2});
  const ValueId c = g.Constant("c", base);
  const ValueId d = g.Constant("d", base.slice(0, 0, 1));
  const ValueId written = g.Call("aten::mul_.Tensor", {c, 3.0});
  g.Return({written, g.Call("aten::add.Tensor", {d, 0.0})});
  GraphModel model(g.graph());
  for (int run = 0; run < 2; ++run) {
    std::vector<c10::IValue> inputs;
    EXPECT_EQ(model.Call(inputs).toTupleRef().elements()[1].toTensor().item<float>(), 3);
  }
}

TEST(GraphModelTest, AWrongNumberOfInputsIsAFailure) {
  TestGraph g;
  g.Return({g.Placeholder("x")});
  const RunEnd outcome = RunModel(GraphModel(g.graph()), {}, {});
  EXPECT_EQ(outcome.failure.value().ToString(), "forward: the graph takes 1 input, not 0");
}

}  // namespace
}  // namespace culprit::check
