// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/traced_graph.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ones.h>
#include <c10/core/ScalarType.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "autograd/functional/untraceable.h"
#include "graph/tensors/map_tensors.h"
#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using graph::PlaceholderKind;
using graph::ValueKind;
using testing::ElementsAre;
using tests::ShortText;

class TracedGraphTest : public testing::Test {
 protected:
  TracedGraphTest() { graph_.AddPlaceholder("x", PlaceholderKind::kInput, ValueKind::kTensor, x_); }

  std::string Take(std::vector<graph::Argument> outputs) {
    return ShortText(graph_.Take("", std::move(outputs)));
  }

  graph::fake::World world_;
  TracedGraph graph_{world_};
  const at::Tensor x_ = world_.FakeOf(at::ones({2, 3}));
};

TEST_F(TracedGraphTest, EmittedOperatorsBecomeNodesAndComputeFakes) {
  const at::Tensor y = graph_.Emit("aten::t", {x_});
  EXPECT_TRUE(graph::fake::World::IsFake(y));
  EXPECT_EQ(y.sizes(), at::IntArrayRef({3, 2}));
  EXPECT_EQ(Take({graph_.ValueOf(y)}), "t = t.default(x)\nreturn (t,)\n");
}

TEST_F(TracedGraphTest, NamesAreNotUsedTwice) {
  graph_.AddPlaceholder("x", PlaceholderKind::kInput, ValueKind::kTensor, world_.FakeOf(at::ones({1})));
  const at::Tensor y = graph_.Emit("aten::t", {graph_.Emit("aten::t", {x_})});
  const graph::Graph graph = graph_.Take("", {graph_.ValueOf(y)});
  EXPECT_EQ(graph.value(graph.placeholders()[1].value).name, "x_1");
  EXPECT_EQ(ShortText(graph), "t = t.default(x)\nt_1 = t.default(t)\nreturn (t_1,)\n");
}

TEST_F(TracedGraphTest, KnowsHowManyBytesEachTensorHas) {
  const at::Tensor y = graph_.Emit("aten::select.int", {x_, int64_t{0}, int64_t{1}});
  graph_.Take("", {graph_.ValueOf(y)});
  EXPECT_THAT(graph_.bytes(), ElementsAre(24, 12));
}

TEST_F(TracedGraphTest, ARealTensorBecomesAConstantOnce) {
  const at::Tensor real = at::ones({3});
  const at::Tensor y = graph_.Emit("aten::mul.Tensor", {graph_.Emit("aten::mul.Tensor", {x_, real}), real});
  real.zero_();
  const graph::Graph graph = graph_.Take("", {graph_.ValueOf(y)});
  ASSERT_EQ(graph.constants().size(), 1U);
  EXPECT_TRUE(graph.constants()[0].tensor.equal(at::ones({3}))) << "its numbers are those at the time";
}

TEST_F(TracedGraphTest, AWrappedNumberStaysANumber) {
  at::Tensor two = at::ones({}, at::kDouble).mul(2);
  two.unsafeGetTensorImpl()->set_wrapped_number(true);
  const at::Tensor y = graph_.Emit("aten::mul.Tensor", {x_, two});
  EXPECT_EQ(Take({graph_.ValueOf(y)}), "mul = mul.Tensor(x, 2.0)\nreturn (mul,)\n");
}

TEST_F(TracedGraphTest, AFakeThatIsAWrappedNumberIsTheNumber) {
  const at::Tensor two = graph_.Emit("aten::scalar_tensor", {2.0, at::kDouble, {}, {}, {}});
  const at::Tensor y = graph_.Emit("aten::mul.Tensor", {x_, two});
  two.unsafeGetTensorImpl()->set_wrapped_number(true);
  const at::Tensor z = graph_.Emit("aten::mul.Tensor", {y, two});
  EXPECT_EQ(Take({graph_.ValueOf(z)}),
            "scalar_tensor = scalar_tensor.default(2.0, dtype=torch.float64)\n"
            "mul = mul.Tensor(x, scalar_tensor)\nmul_1 = mul.Tensor(mul, 2.0)\nreturn (mul_1,)\n");
}

TEST_F(TracedGraphTest, AParameterThatIsNoInputIsRefused) {
  const at::Tensor weight = at::ones({3}).requires_grad_();
  try {
    graph_.Emit("aten::mul.Tensor", {x_, weight});
    FAIL();
  } catch (const Untraceable& reason) {
    EXPECT_STREQ(reason.what(), "a parameter is used that is no input");
  }
}

TEST_F(TracedGraphTest, AGeneratorHasToBeAnInput) {
  const at::Generator known = at::detail::createCPUGenerator(1);
  graph_.AddPlaceholder("g", PlaceholderKind::kInput, ValueKind::kGenerator, known);
  const at::Tensor y = graph_.Emit("aten::bernoulli", {x_, known});
  EXPECT_THROW(graph_.Emit("aten::bernoulli", {x_, at::detail::createCPUGenerator(1)}), Untraceable);
  EXPECT_EQ(Take({graph_.ValueOf(y)}),
            "bernoulli = bernoulli.default(x, generator=g)\nreturn (bernoulli,)\n");
}

TEST_F(TracedGraphTest, ElementsOfAListCanBeUsed) {
  const torch::jit::Stack results = graph_.Emit(graph::Operator::Get("aten::unbind.int"), {x_, int64_t{0}});
  const at::Tensor second = results[0].toTensorList().get(1);
  EXPECT_EQ(Take({graph_.ValueOf(second)}),
            "unbind = unbind.int(x)\n"
            "getitem = unbind[0]\n"
            "getitem_1 = unbind[1]\n"
            "return (getitem_1,)\n");
}

TEST_F(TracedGraphTest, UndefinedTensorsAreNone) {
  EXPECT_TRUE(graph_.ValueOf(at::Tensor()) == graph::Argument());
}

TEST_F(TracedGraphTest, NodesCarryTheLineOfTheModel) {
  const auto line = std::make_shared<const std::string>("net.py:3 in forward");
  graph_.Emit("aten::t", {x_});
  graph_.SetLine(line);
  graph_.Emit("aten::neg", {x_});
  const graph::Graph graph = graph_.Take("net_0_captured", {});
  EXPECT_EQ(graph.nodes()[0].model_line, nullptr);
  EXPECT_EQ(graph.nodes()[1].model_line, line);
  EXPECT_EQ(graph.name(), "net_0_captured");
}

}  // namespace
}  // namespace culprit::autograd
