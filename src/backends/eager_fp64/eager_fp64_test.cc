// SPDX-License-Identifier: Apache-2.0
#include "backends/eager_fp64/eager_fp64.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::eager_fp64 {
namespace {

using backend::Values;
using graph::ValueId;
using tests::TestGraph;

Values Compute(const graph::Graph& graph, Values inputs) {
  const EagerFp64 kind;
  const auto configuration = *backend::Configuration::Make({"eager-fp64"}, kind.description());
  return (*kind.Open(configuration))->Compile(graph, inputs)->Call(inputs);
}

TEST(EagerFp64Test, SumsThatCancelInFloat32AreRightAndComeBackInFloat32) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::sub.Tensor", {g.Call("aten::add.Tensor", {x, 1e8}), 1e8})});
  const at::Tensor input = at::full({2}, 1.5);
  EXPECT_NE(graph::Interpreter(g.graph()).Run({input})[0].toTensor()[0].item<double>(), 1.5);
  const at::Tensor result = Compute(g.graph(), {input})[0].toTensor();
  EXPECT_EQ(result.scalar_type(), at::kFloat);
  EXPECT_EQ(result[0].item<double>(), 1.5);
}

TEST(EagerFp64Test, OutputsHaveTheDtypesOfTheGraph) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::_to_copy", {x}, {{"dtype", at::kBFloat16}}), g.Call("aten::gt.Scalar", {x, 0}),
            g.Call("aten::_to_copy", {x}, {{"dtype", at::kDouble}})});
  const Values outputs = Compute(g.graph(), {at::ones({2})});
  EXPECT_EQ(outputs[0].toTensor().scalar_type(), at::kBFloat16);
  EXPECT_EQ(outputs[1].toTensor().scalar_type(), at::kBool);
  EXPECT_EQ(outputs[2].toTensor().scalar_type(), at::kDouble);
}

TEST(EagerFp64Test, AutocastDecidesDtypesButNotThePrecision) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {x, x})});
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const at::Tensor result = Compute(g.graph(), {at::full({1, 1}, 1.001)})[0].toTensor();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
  EXPECT_EQ(result.scalar_type(), at::kBFloat16);
}

TEST(EagerFp64Test, RandomNumbersAreThoseOfTheGraph) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::randn_like", {x}), x})});
  const at::Tensor input = at::ones({5});
  at::manual_seed(3);
  const at::Tensor expected = graph::Interpreter(g.graph()).Run({input})[0].toTensor();
  const at::Tensor next = at::randn({2});
  at::manual_seed(3);
  EXPECT_TRUE(Compute(g.graph(), {input})[0].toTensor().equal(expected));
  EXPECT_TRUE(at::randn({2}).equal(next)) << "the generator should stand where the graph leaves it";
}

TEST(EagerFp64Test, OutputsThatShareMemoryInEagerShareItHereToo) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  g.Return({tanh, g.Call("aten::slice.Tensor", {tanh, 0, 1, 3}), g.Call("aten::detach", {tanh})});
  const at::Tensor input = at::ones({4}).requires_grad_();
  const Values outputs = Compute(g.graph(), {input});
  EXPECT_TRUE(outputs[1].toTensor().is_alias_of(outputs[0].toTensor()));
  EXPECT_TRUE(outputs[2].toTensor().is_alias_of(outputs[0].toTensor()));
  EXPECT_EQ(outputs[1].toTensor().storage_offset(), 1);
  EXPECT_FALSE(outputs[2].toTensor().requires_grad());
  outputs[1].toTensor().sum().backward();
  EXPECT_EQ(input.grad()[0].item<double>(), 0);
  EXPECT_NE(input.grad()[1].item<double>(), 0);
}

TEST(EagerFp64Test, WritesReachTheInputsAndViewsOfThem) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId v = g.Placeholder("v");
  const ValueId y = g.Call("aten::add_.Tensor", {x, 1});
  g.Return({y, g.Call("aten::mul.Tensor", {v, 2})});
  const at::Tensor input = at::ones({4});
  const at::Tensor view = input.slice(0, 1, 3);
  const Values outputs = Compute(g.graph(), {input, view});
  EXPECT_TRUE(input.equal(at::full({4}, 2.0)));
  EXPECT_TRUE(outputs[0].toTensor().is_same(input));
  EXPECT_TRUE(outputs[1].toTensor().equal(at::full({2}, 4.0)));
}

TEST(EagerFp64Test, AViewOfAnInputIsAViewOfItAgain) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::t", {x})});
  const at::Tensor input = at::randn({2, 3});
  const at::Tensor output = Compute(g.graph(), {input})[0].toTensor();
  EXPECT_TRUE(output.is_alias_of(input));
  EXPECT_TRUE(output.equal(input.t()));
}

TEST(EagerFp64Test, GradientsReachTheInputsInTheirDtype) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::sin", {x}), y})});
  const at::Tensor a = at::randn({3}).requires_grad_(true);
  const at::Tensor b = at::randn({3});
  Compute(g.graph(), {a, b})[0].toTensor().sum().backward();
  EXPECT_EQ(a.grad().scalar_type(), at::kFloat);
  EXPECT_TRUE(a.grad().allclose(a.detach().cos() * b));
}

TEST(EagerFp64Test, WhatCannotBeCastIsRefusedByName) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::view.dtype", {x, at::kInt})});
  try {
    Compute(g.graph(), {at::ones({2})});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "aten::view.dtype reinterprets bits, which differ in float64");
  }
}

}  // namespace
}  // namespace culprit::backends::eager_fp64
