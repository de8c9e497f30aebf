// SPDX-License-Identifier: Apache-2.0
#include "graph/run/interpreter.h"

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

at::Tensor RunForTensor(TestGraph& g, std::vector<c10::IValue> inputs) {
  return Interpreter(g.graph()).Run(std::move(inputs)).at(0).toTensor();
}

TEST(InterpreterTest, RunsAChainOfCalls) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  const ValueId sum = g.Call("aten::add.Tensor", {x, y});
  g.Return({g.Call("aten::mul.Tensor", {sum, x})});
  EXPECT_TRUE(SameTensor(RunForTensor(g, {at::full({2}, 3.0), at::full({2}, 4.0)}), at::full({2}, 21.0)));
}

TEST(InterpreterTest, ReturnsConstantsAndTheSameValueTwice) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({x, nullptr, 7, x});
  const std::vector<c10::IValue> outputs = Interpreter(g.graph()).Run({at::ones({2})});
  ASSERT_EQ(outputs.size(), 4);
  EXPECT_TRUE(outputs[0].toTensor().is_same(outputs[3].toTensor()));
  EXPECT_TRUE(outputs[1].isNone());
  EXPECT_EQ(outputs[2].toInt(), 7);
}

TEST(InterpreterTest, NumbersInTensorSlotsDoNotPromote) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Tensor", {x, 1.5})});
  EXPECT_EQ(RunForTensor(g, {at::ones({2}, at::kHalf)}).scalar_type(), at::kHalf);
  EXPECT_EQ(RunForTensor(g, {at::ones({2}, at::kLong)}).scalar_type(), at::kFloat);
}

TEST(InterpreterTest, NumbersKnownAtRunTimeFitTensorAndFloatSlots) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Call("aten::size.int", {x, 0});
  const ValueId half = g.Call("python::truediv.int", {n, 2});
  const ValueId sum = g.Call("aten::add.Tensor", {x, n});
  const ValueId product = g.Call("aten::mul.Tensor", {sum, half});
  g.Return({product, g.Call("python::mul.float", {n, half})});
  const std::vector<c10::IValue> outputs = Interpreter(g.graph()).Run({at::ones({3})});
  EXPECT_TRUE(SameTensor(outputs[0].toTensor(), at::full({3}, 6.0)));
  EXPECT_EQ(outputs[1].toDouble(), 4.5);
}

TEST(InterpreterTest, NumbersFromTensorsFitTensorSlots) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId number = g.Call("aten::_local_scalar_dense", {g.Call("aten::sum", {x})});
  g.Return({g.Call("aten::add.Tensor", {x, number})});
  EXPECT_TRUE(SameTensor(RunForTensor(g, {at::ones({3})}), at::full({3}, 4.0)));
}

TEST(InterpreterTest, ListsMayMixValuesAndConstants) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Call("aten::size.int", {x, 0});
  g.Return({g.Call("aten::reshape", {x, {n, 1, -1}})});
  EXPECT_EQ(RunForTensor(g, {at::ones({3, 4})}).sizes(), at::IntArrayRef({3, 1, 4}));
}

TEST(InterpreterTest, ListsOfEveryKind) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId index = g.Placeholder("index");
  const ValueId rows = g.Call("aten::index.Tensor", {x, {nullptr, index}});
  const ValueId list = g.Call("aten::_foreach_add.ScalarList", {{rows, x}, {1, 2.5}});
  const ValueId larger = g.Call("aten::upsample_nearest2d.vec",
                                {g.Call("aten::reshape", {rows, {1, 1, 2, 2}}), nullptr, {2.0, 2.0}});
  g.Return({g.Call("python::getitem.Tensor", {list, 0}), g.Call("aten::cat", {list, 1}), larger});
  const auto outputs = Interpreter(g.graph()).Run(
      {at::arange(6).reshape({2, 3}).to(at::kFloat), at::tensor({2, 0}, at::kLong)});
  EXPECT_TRUE(SameTensor(outputs[0].toTensor(), at::tensor({3.0F, 1.0F, 6.0F, 4.0F}).reshape({2, 2})));
  EXPECT_EQ(outputs[1].toTensor().sizes(), at::IntArrayRef({2, 5}));
  EXPECT_EQ(outputs[2].toTensor().sizes(), at::IntArrayRef({1, 1, 4, 4}));
}

TEST(InterpreterTest, ATensorListServesAsAListOfOptionalTensors) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId parts = g.Call("aten::split.Tensor", {g.Placeholder("index"), 1});
  g.Return({g.Call("aten::index.Tensor", {x, parts})});
  const at::Tensor picked = RunForTensor(g, {at::arange(6).reshape({2, 3}), at::tensor({1, 2}, at::kLong)});
  EXPECT_TRUE(SameTensor(picked, at::tensor({5}, at::kLong)));
}

TEST(InterpreterTest, UndefinedResultsPassThrough) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const auto gradients =
      g.CallAll("aten::convolution_backward",
                {x, x, x, nullptr, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, {false, true, false}});
  g.Return({gradients[0], gradients[1]});
  const auto outputs = Interpreter(g.graph()).Run({at::ones({1, 1, 1, 1})});
  EXPECT_FALSE(outputs[0].toTensor().defined());
  EXPECT_TRUE(outputs[1].toTensor().defined());
}

TEST(InterpreterTest, InPlaceOperatorsWriteIntoTheCallersTensor) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add_.Tensor", {x, 1})});
  const at::Tensor mine = at::zeros({2});
  EXPECT_TRUE(RunForTensor(g, {mine}).is_same(mine));
  EXPECT_TRUE(SameTensor(mine, at::ones({2})));
}

TEST(InterpreterTest, EveryRunFindsTensorConstantsUnchanged) {
  TestGraph g;
  const ValueId counter = g.Constant("counter", at::zeros({2}));
  const ValueId view = g.Call("aten::view", {counter, {2, 1}});
  g.Call("aten::add_.Tensor", {view, 1});
  g.Return({counter});
  const Interpreter interpreter(g.graph());
  for (int run = 0; run < 2; ++run)
    EXPECT_TRUE(SameTensor(interpreter.Run({}).at(0).toTensor(), at::ones({2})));
  EXPECT_TRUE(SameTensor(g.graph().constants()[0].tensor, at::zeros({2})));
}

TEST(InterpreterTest, EveryRunFindsNumbersUnchanged) {
  TestGraph g;
  const ValueId number = g.Call("aten::detach", {3.0});
  g.Return({g.Call("aten::add_.Tensor", {number, 1})});
  const Interpreter interpreter(g.graph());
  for (int run = 0; run < 2; ++run) EXPECT_EQ(interpreter.Run({}).at(0).toTensor().item<double>(), 4.0);
}

// Which of the watched tensors are still alive, noted before and after each node.
class LifetimeObserver : public Observer {
 public:
  void Watch(const at::Tensor& tensor) { watched_.emplace_back(tensor.getIntrusivePtr()); }
  void Before(NodeId node, const torch::jit::Stack& arguments) override {
    log += fmt::format("{}({})", Index(node), Alive());
    for (const c10::IValue& argument : arguments) {
      if (argument.isTensor()) Watch(argument.toTensor());
    }
  }
  void After(NodeId /*node*/, const torch::jit::Stack& results) override {
    Watch(results.at(0).toTensor());
    log += fmt::format("->{} ", Alive());
  }
  size_t Alive() const {
    std::set<const void*> alive;
    for (const auto& tensor : watched_) {
      if (!tensor.expired()) alive.insert(tensor._unsafe_get_target());
    }
    return alive.size();
  }
  std::string log;

 private:
  std::vector<c10::weak_intrusive_ptr<c10::TensorImpl>> watched_;
};

TEST(InterpreterTest, ValuesAreFreedAfterTheirLastUse) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId a = g.Call("aten::relu", {x});
  const ValueId b = g.Call("aten::mul.Tensor", {a, a});
  g.Call("aten::neg", {b});
  g.Return({g.Call("aten::abs", {b})});
  LifetimeObserver observer;
  std::vector<c10::IValue> inputs = {at::ones({2})};
  observer.Watch(inputs[0].toTensor());
  Interpreter(g.graph()).Run(std::move(inputs), &observer);
  // Behind a call its operands are gone if nobody else needs them; the unused result of neg goes at once.
  EXPECT_EQ(observer.log, "0(1)->1 1(1)->1 2(1)->2 3(1)->1 ");
  EXPECT_EQ(observer.Alive(), 0);
}

TEST(InterpreterTest, AFailingOperatorFreesEverythingAndPassesThrough) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::relu", {x});
  const ValueId z = g.Call("aten::view", {y, {5}});
  g.Return({y, z});
  LifetimeObserver observer;
  std::vector<c10::IValue> inputs = {at::ones({2})};
  EXPECT_ANY_THROW(Interpreter(g.graph()).Run(std::move(inputs), &observer));
  EXPECT_TRUE(observer.log.ends_with("1(1)")) << observer.log;
  EXPECT_EQ(observer.Alive(), 0);
}

TEST(InterpreterTest, AnInterruptionHasTheNodeAndTheOutputsUpToIt) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId z = g.Call("aten::view", {y, {5}});
  g.Return({x, y, z});
  std::optional<Interruption> interruption;
  EXPECT_ANY_THROW(Interpreter(g.graph()).Run({at::ones({2})}, nullptr, &interruption));
  ASSERT_TRUE(interruption);
  EXPECT_EQ(interruption->node, NodeId(1));
  ASSERT_EQ(interruption->outputs.size(), 3u);
  EXPECT_TRUE(SameTensor(interruption->outputs[0].toTensor(), at::ones({2})));
  EXPECT_TRUE(SameTensor(interruption->outputs[1].toTensor(), at::full({2}, -1.0)));
  EXPECT_TRUE(interruption->outputs[2].isNone());
}

TEST(InterpreterTest, ARunThatEndsWellHasNoInterruption) {
  TestGraph g;
  g.Return({g.Call("aten::neg", {g.Placeholder("x")})});
  std::optional<Interruption> interruption;
  Interpreter(g.graph()).Run({at::ones({2})}, nullptr, &interruption);
  EXPECT_FALSE(interruption);
}

TEST(InterpreterTest, AWrongNumberOfInputsIsAnInternalError) {
  TestGraph g;
  g.Return({g.Placeholder("x")});
  EXPECT_THROW(Interpreter(g.graph()).Run({}), base::InternalError);
}

}  // namespace
}  // namespace culprit::graph
