// SPDX-License-Identifier: Apache-2.0
#include "check/noise/exact_elements.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::TestGraph;

/// Spoils what was rounded.
class Spoiler : public graph::Observer {
 public:
  explicit Spoiler(const graph::Graph& graph) : graph_(graph) {}

  void Before(graph::NodeId id, const torch::jit::Stack& arguments) override {
    exact_ = ExactElements::Of(graph_.node(id), arguments);
  }
  void After(graph::NodeId /*id*/, const torch::jit::Stack& results) override {
    if (exact_) exact_->Keep(results[0].toTensor(), [](const at::Tensor& piece) { piece.fill_(-77); });
  }

 private:
  const graph::Graph& graph_;
  std::optional<ExactElements> exact_;
};

/// 1 where the element is exact, one letter per element: "1011".
std::string Exact(TestGraph g, const std::vector<c10::IValue>& inputs) {
  Spoiler spoiler(g.graph());
  const at::Tensor result = graph::Interpreter(g.graph()).Run(inputs, &spoiler)[0].toTensor().flatten();
  std::string text;
  for (int64_t i = 0; i < result.numel(); ++i) text += result[i].item<double>() == -77 ? '0' : '1';
  return text;
}

TestGraph Binary(const char* op, const tests::Written& other) {
  TestGraph g;
  g.Return({g.Call(op, {g.Placeholder("x"), other})});
  return g;
}

TestGraph Unary(const char* op) {
  TestGraph g;
  g.Return({g.Call(op, {g.Placeholder("x")})});
  return g;
}

TEST(ExactElementsTest, ArithmeticKnowsWhatItRounded) {
  const at::Tensor x = at::tensor({0.0F, 1e-9F, 0.25F, 1.1F});
  EXPECT_EQ(Exact(Binary("aten::add.Tensor", 0.5), {x}), "1011");
  EXPECT_EQ(Exact(Binary("aten::sub.Tensor", 0.5), {x}), "1011");
  EXPECT_EQ(Exact(Binary("aten::rsub.Scalar", 0.5), {x}), "1011");
  EXPECT_EQ(Exact(Binary("aten::mul.Tensor", 0.5), {x}), "1111");
  EXPECT_EQ(Exact(Binary("aten::mul.Tensor", 1.5), {x}), "1010");
  EXPECT_EQ(Exact(Binary("aten::div.Tensor", 3), {at::tensor({0.0F, 1.0F, 3.0F, 7.5F})}), "1011");
  EXPECT_EQ(Exact(Unary("aten::sqrt"), {at::tensor({2.25F, 2.0F})}), "10");
  EXPECT_EQ(Exact(Unary("aten::reciprocal"), {at::tensor({4.0F, 3.0F})}), "10");
}

TEST(ExactElementsTest, ANumberThatIsNoFloatWasRounded) {
  EXPECT_EQ(Exact(Binary("aten::add.Tensor", 0.1), {at::tensor({0.0F, 1.0F})}), "00");
}

TEST(ExactElementsTest, Float64IsKnownToo) {
  EXPECT_EQ(Exact(Binary("aten::add.Tensor", 0.5), {at::tensor({0.0, 0.1, 1e-18})}), "100");
  EXPECT_EQ(Exact(Binary("aten::mul.Tensor", 0.1), {at::tensor({2.0, 0.1})}), "10");
}

TEST(ExactElementsTest, CastsToLongerDtypesAreExact) {
  TestGraph g;
  g.Return({g.Call("aten::_to_copy", {g.Placeholder("x")}, {{"dtype", at::kHalf}})});
  EXPECT_EQ(Exact(g, {at::tensor({0.5F, 0.1F})}), "10");
  EXPECT_EQ(Exact(g, {at::full({2}, 0.1, at::kBFloat16)}), "11");
}

TEST(ExactElementsTest, FunctionsAreExactAt0Only) {
  const at::Tensor x = at::tensor({0.0F, 1e-9F, 1.0F});
  for (const char* op : {"aten::cos", "aten::exp", "aten::sigmoid"}) EXPECT_EQ(Exact(Unary(op), {x}), "100");
}

TEST(ExactElementsTest, OperandsThatTheCallWritesAreRemembered) {
  EXPECT_EQ(Exact(Binary("aten::add_.Tensor", 0.5), {at::tensor({0.0F, 1e-9F})}), "10");
}

TEST(ExactElementsTest, OperandsAreBroadcastAndTakenInPieces) {
  TestGraph g;
  g.Return({g.Call("aten::add.Tensor", {g.Placeholder("x"), g.Placeholder("y")})});
  const at::Tensor x = at::zeros({3, 200'000});
  x[1].fill_(1e-9);
  const std::string exact = Exact(g, {x, at::ones({200'000})});
  EXPECT_EQ(std::ranges::count(exact, '1'), 400'000);
  EXPECT_EQ(exact[200'000], '0');
  EXPECT_EQ(exact[599'999], '1');
}

TEST(ExactElementsTest, OthersAreNotKnown) {
  TestGraph g = Unary("aten::tan");
  EXPECT_FALSE(ExactElements::Of(g.graph().nodes()[0], {at::ones({2})}));
  TestGraph scaled;
  scaled.Return({scaled.Call("aten::add.Tensor", {scaled.Placeholder("x"), 1}, {{"alpha", 3}})});
  EXPECT_FALSE(ExactElements::Of(scaled.graph().nodes()[0], {at::ones({2}), at::ones({2}), 3}));
}

}  // namespace
}  // namespace culprit::check
