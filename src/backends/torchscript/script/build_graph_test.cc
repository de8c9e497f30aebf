// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/build_graph.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "backend/refusal.h"
#include "backends/torchscript/script/compiled.h"
#include "graph/operators/builtins.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::torchscript {
namespace {

using backend::Values;
using graph::Argument;
using graph::ValueId;
using graph::ValueKind;
using testing::HasSubstr;
using tests::TestGraph;

std::string TextOf(const graph::Graph& graph) {
  return BuildGraph(graph, {}).graph->toString(/*print_source_locations=*/false);
}

/// Without any optimisation, so that what TorchScript gives is what was built.
Values Compute(const graph::Graph& graph, Values inputs) {
  Flags flags;
  flags.optimise = false;
  std::vector<size_t> kept(inputs.size());
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  return TorchScriptCompiled(BuildGraph(graph, inputs), kept, flags).Call(inputs);
}

at::Tensor ComputeOne(const graph::Graph& graph, Values inputs) {
  return Compute(graph, std::move(inputs))[0].toTensor();
}

/// What eager gives for the first output, bit for bit and with the same strides.
void ExpectSameAsEager(const graph::Graph& graph, const Values& inputs) {
  const at::Tensor expected = graph::Interpreter(graph).Run(inputs)[0].toTensor();
  EXPECT_TRUE(graph::SameTensor(ComputeOne(graph, inputs), expected)) << TextOf(graph);
}

TEST(BuildGraphTest, AGraphIsWrittenAsTorchScriptWritesIt) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId add = g.Call("aten::add.Tensor", {x, g.Placeholder("w")}, {{"alpha", 2}});
  g.Return({g.Call("aten::mul.Tensor", {add, 0.5})});
  EXPECT_EQ(TextOf(g.graph()),
            "graph(%x : Tensor,\n"
            "      %w : Tensor):\n"
            "  %2 : int = prim::Constant[value=2]()\n"
            "  %add : Tensor = aten::add(%x, %w, %2)\n"
            "  %4 : float = prim::Constant[value=0.5]()\n"
            "  %mul : Tensor = aten::mul(%add, %4)\n"
            "  %6 : (Tensor) = prim::TupleConstruct(%mul)\n"
            "  return (%6)\n");
}

TEST(BuildGraphTest, ConstantsOfEveryKindArriveAsTheyAre) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Argument> numbers = {Argument(c10::IValue(kInfinity)),
                                         Argument(c10::IValue(-kInfinity)),
                                         Argument(c10::IValue(std::numeric_limits<double>::quiet_NaN())),
                                         Argument(c10::IValue(c10::complex<double>(1, -2))),
                                         Argument(c10::IValue(int64_t{7})),
                                         Argument(c10::IValue(true))};
  for (const Argument& number : numbers) {
    TestGraph g;
    g.Return({g.Call("aten::full", {{2}, number}, {{"device", c10::Device(at::kCPU)}})});
    ExpectSameAsEager(g.graph(), {});
  }
}

TEST(BuildGraphTest, StringsDtypesFormatsAndListsArriveAsTheyAre) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId cast = g.Call("aten::_to_copy", {x},
                              {{"dtype", at::kDouble}, {"memory_format", at::MemoryFormat::ChannelsLast}});
  const ValueId sum = g.Call("aten::sum.dim_IntList", {cast, {0, 1}}, {{"keepdim", true}});
  const ValueId div = g.Call("aten::div.Tensor_mode", {cast, 0.3}, {{"rounding_mode", "floor"}});
  g.Return({g.Call("aten::add.Tensor", {div, sum})});
  ExpectSameAsEager(g.graph(), {at::randn({2, 3, 4, 5})});
}

TEST(BuildGraphTest, IndicesMayBeMissing) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::index.Tensor",
                   {x, {nullptr, g.Constant("i", at::tensor(std::vector<int64_t>{2, 0}))}})});
  ExpectSameAsEager(g.graph(), {at::randn({2, 3})});
}

TEST(BuildGraphTest, NumbersDoNotTakePartInTypePromotion) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  // maximum has no overload for numbers, mul has one.
  g.Return({g.Call("aten::maximum", {g.Call("aten::mul.Tensor", {x, 2.5}), 1.5})});
  ExpectSameAsEager(g.graph(), {at::ones({2}, at::kHalf)});
}

TEST(BuildGraphTest, TruthValuesInThePlaceOfNumbersStayTruthValues) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Scalar", {x, true}), g.Call("aten::mul.Tensor", {x, true})});
  const Values outputs = Compute(g.graph(), {at::ones({2}, at::kBool)});
  EXPECT_EQ(outputs[0].toTensor().scalar_type(), at::kBool);
  EXPECT_EQ(outputs[1].toTensor().scalar_type(), at::kBool);
}

TEST(BuildGraphTest, SeveralResultsListsAndTheirElements) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId parts = g.Call("aten::split.Tensor", {x, 2});
  const ValueId part = g.Call("python::getitem.Tensor", {parts, 1});
  const auto max = g.CallAll("aten::max.dim", {part, 1});
  g.Return({g.Call("aten::add.Tensor", {max[0], max[1]}), parts, 3, nullptr});
  const Values outputs = Compute(g.graph(), {at::randn({4, 3})});
  EXPECT_EQ(outputs[1].toListRef().size(), 2u);
  EXPECT_EQ(outputs[2].toInt(), 3);
  EXPECT_TRUE(outputs[3].isNone());
  ExpectSameAsEager(g.graph(), {at::randn({4, 3})});
}

TEST(BuildGraphTest, GeneratorsAreInputs) {
  TestGraph g;
  const ValueId generator = g.Placeholder("g", graph::PlaceholderKind::kInput, ValueKind::kGenerator);
  g.Return({g.Call("aten::rand.generator", {{3}}, {{"generator", generator}})});
  const at::Tensor expected =
      graph::Interpreter(g.graph()).Run({at::detail::createCPUGenerator(5)})[0].toTensor();
  EXPECT_TRUE(ComputeOne(g.graph(), {at::detail::createCPUGenerator(5)}).equal(expected));
}

TEST(BuildGraphTest, AConstantThatIsWrittenIntoIsTheSameAtEveryCall) {
  TestGraph g;
  g.Return({g.Call("aten::add_.Tensor", {g.Constant("c", at::ones({2})), 1})});
  TorchScriptCompiled compiled(BuildGraph(g.graph(), {}), {}, Flags());
  for (int i = 0; i < 3; ++i) {
    Values inputs;
    EXPECT_EQ(compiled.Call(inputs)[0].toTensor()[0].item<float>(), 2);
  }
}

TEST(BuildGraphTest, WritesReachTheInputs) {
  TestGraph g;
  g.Return({g.Call("aten::add_.Tensor", {g.Placeholder("x"), 1})});
  const at::Tensor input = at::ones({2});
  EXPECT_TRUE(ComputeOne(g.graph(), {input}).is_same(input));
  EXPECT_EQ(input[0].item<float>(), 2);
}

TEST(BuildGraphTest, WritesIntoTheTensorsOfAListAreRefused) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.CallAll("aten::_foreach_add_.Scalar", {{x}, 1});
  g.Return({x});
  try {
    BuildGraph(g.graph(), {});
    FAIL();
  } catch (const backend::Refusal& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "TorchScript cannot call aten::_foreach_add_.Scalar: it leaves out what writes into the "
                 "tensors of a list; use graphs=aot, where nothing is written");
    EXPECT_EQ(refusal.help(), "to hand over the graph below autograd, use: --backend torchscript:graphs=aot");
  }
}

// None is a float? as well as a float[]?.
TEST(BuildGraphTest, NoneFitsSeveralOverloads) {
  TestGraph g;
  g.Return({g.Call("aten::upsample_nearest1d", {g.Placeholder("x"), {8}})});
  ExpectSameAsEager(g.graph(), {at::randn({2, 3, 4})});
}

TEST(BuildGraphTest, AMissingInputMayStandWhereATensorIsOptional) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::linear", {x, g.Placeholder("w"), g.Placeholder("b")})});
  ExpectSameAsEager(g.graph(), {at::randn({2, 3}), at::randn({4, 3}), c10::IValue()});
}

/// The builtin on every pair of a few numbers, as an output; nothing where eager refuses.
void ExpectSameArithmetic(const graph::Operator& op) {
  const auto numbers = [](ValueKind kind) -> Values {
    if (kind == ValueKind::kInt) return {int64_t{7}, int64_t{-7}, int64_t{3}, int64_t{2}};
    if (kind == ValueKind::kBool) return {true, false};
    return {2.5, 0.25, 7.0};
  };
  TestGraph g;
  const ValueKind kind = op.slots()[0].kind == graph::SlotKind::kInt     ? ValueKind::kInt
                         : op.slots()[0].kind == graph::SlotKind::kFloat ? ValueKind::kFloat
                                                                         : ValueKind::kBool;
  std::vector<Argument> operands;
  for (size_t i = 0; i < op.slots().size(); ++i)
    operands.emplace_back(g.Placeholder("a" + std::to_string(i), graph::PlaceholderKind::kInput, kind));
  graph::Graph graph = g.graph();
  graph.SetOutputs({graph.AddNode(op, operands, {"result"}).results[0]});
  for (const c10::IValue& a : numbers(kind)) {
    for (const c10::IValue& b : numbers(kind)) {
      Values inputs = {a};
      if (op.slots().size() == 2) inputs.push_back(b);
      c10::IValue expected;
      try {
        expected = graph::Interpreter(graph).Run(inputs)[0];
      } catch (const std::exception&) {
        continue;
      }
      const c10::IValue given = Compute(graph, inputs)[0];
      EXPECT_TRUE(graph::SameConstant(given, expected)) << op.qualified_name() << " gives " << given;
    }
  }
}

TEST(BuildGraphTest, ArithmeticOnSizesIsPythons) {
  for (const graph::Builtin& builtin : graph::AllBuiltins()) {
    const graph::Operator* op = graph::Operator::Find(builtin.schema.name(), builtin.schema.overload_name());
    const bool on_numbers =
        op->slots()[0].kind != graph::SlotKind::kTensor && op->slots()[0].kind != graph::SlotKind::kList;
    if (on_numbers) ExpectSameArithmetic(*op);
  }
}

TEST(BuildGraphTest, SizesOfTensorsAreValues) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId size = g.Call("aten::sym_size.int", {x, 1});
  const ValueId numel = g.Call("aten::sym_numel", {x});
  const ValueId stride = g.Call("aten::sym_stride.int", {x, 0});
  const ValueId offset = g.Call("aten::sym_storage_offset", {x});
  const ValueId third = g.Call("python::getitem.int", {g.Call("aten::sym_size", {x}), 0});
  g.Return(
      {g.Call("aten::full", {{size, numel, stride, third}, offset}), g.Call("aten::view", {x, {size, -1}})});
  ExpectSameAsEager(g.graph(), {at::randn({2, 3})});
}

TEST(BuildGraphTest, ErrorsNameTheLineOfTheGraph) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {x, g.Call("aten::neg", {x})})});
  try {
    Compute(g.graph(), {at::ones({2, 3})});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("mm = aten::mm(x, neg)"));
  }
}

}  // namespace
}  // namespace culprit::backends::torchscript
