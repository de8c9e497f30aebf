// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/cast_to_fp64.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/passes/hoist_random.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// Collects the names of operators that took or gave a floating tensor of less than 64 bits.
class LowPrecisionObserver : public Observer {
 public:
  explicit LowPrecisionObserver(const Graph& graph) : graph_(graph) {}
  void Before(NodeId node, const torch::jit::Stack& arguments) override { Look(node, arguments); }
  void After(NodeId node, const torch::jit::Stack& results) override { Look(node, results); }
  std::set<std::string> found;

 private:
  void Look(NodeId node, const torch::jit::Stack& values) {
    for (const c10::IValue& value : values) {
      if (!value.isTensor() || !value.toTensor().defined()) continue;
      const at::ScalarType dtype = value.toTensor().scalar_type();
      const bool wide = dtype == at::kDouble || dtype == at::kComplexDouble;
      if (!wide && !c10::isIntegralType(dtype, /*includeBool=*/true))
        found.insert(graph_.node(node).op->qualified_name());
    }
  }
  const Graph& graph_;
};

struct BothRuns {
  std::vector<c10::IValue> narrow;
  std::vector<c10::IValue> wide;

  double RelativeError(size_t output) const {
    const at::Tensor exact = wide[output].toTensor();
    const at::Tensor error = narrow[output].toTensor().to(at::kDouble).sub(exact);
    return error.norm().div(exact.norm()).item<double>();
  }
};

/// Hoists, casts, runs, and checks that nothing of low precision is left.
BothRuns RunBoth(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  BothRuns runs;
  const Recording recording = Record(graph, CopyAll(inputs));
  for (const Argument& output : graph.outputs())
    runs.narrow.push_back(*recording.ValueAt(output.value(), graph.nodes().size()));
  const HoistedGraph hoisted = *HoistRandom(graph, recording);
  const Graph cast = *CastToFp64(hoisted.graph);
  EXPECT_TRUE(Verify(cast).ok());
  std::vector<c10::IValue> all = inputs;
  all.insert(all.end(), hoisted.added_inputs.begin(), hoisted.added_inputs.end());
  LowPrecisionObserver observer(cast);
  const Fp64Scope scope;
  runs.wide = Interpreter(cast).Run(*CastInputsToFp64(all), &observer);
  EXPECT_EQ(observer.found, std::set<std::string>());
  return runs;
}

at::ScalarType DtypeOf(const c10::IValue& value) {
  return value.toTensor().scalar_type();
}

TEST(CastToFp64Test, DtypeArgumentsAreWidened) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId a = g.Call("aten::_to_copy", {x}, {{"dtype", at::kBFloat16}});
  const ValueId b = g.Call("aten::zeros", {{2}}, {{"dtype", at::kHalf}});
  const ValueId c = g.Call("aten::_to_copy", {x}, {{"dtype", at::kInt}});
  const ValueId d = g.Call("aten::_to_copy", {x}, {{"dtype", at::kComplexFloat}});
  g.Return({a, b, c, d});
  const BothRuns runs = RunBoth(g.graph(), {at::ones({2})});
  EXPECT_EQ(DtypeOf(runs.wide[0]), at::kDouble);
  EXPECT_EQ(DtypeOf(runs.wide[1]), at::kDouble);
  EXPECT_EQ(DtypeOf(runs.wide[2]), at::kInt);
  EXPECT_EQ(DtypeOf(runs.wide[3]), at::kComplexDouble);
}

TEST(CastToFp64Test, FactoriesWithTheDefaultDtypeAreWidened) {
  TestGraph g;
  const ValueId n = g.Call("aten::size.int", {g.Placeholder("x"), 0});
  g.Return({g.Call("aten::full", {{2}, 0.5}), g.Call("aten::full", {{2}, 1}), g.Call("aten::ones", {{n, 3}}),
            g.Call("aten::arange", {5}), g.Call("aten::arange", {5.0}), g.Call("aten::scalar_tensor", {0.1}),
            g.Call("aten::hann_window", {5}), g.Call("aten::linspace", {0, 1, 5})});
  const Graph cast = *CastToFp64(g.graph());
  // Without an Fp64Scope: the graph itself has to say it.
  const std::vector<c10::IValue> made = Interpreter(cast).Run({at::ones({2})});
  std::vector<at::ScalarType> dtypes;
  for (const c10::IValue& value : made) dtypes.push_back(DtypeOf(value));
  EXPECT_EQ(dtypes, (std::vector{at::kDouble, at::kLong, at::kDouble, at::kLong, at::kDouble, at::kDouble,
                                 at::kDouble, at::kDouble}));
  EXPECT_EQ(made[5].toTensor().item<double>(), 0.1);
}

TEST(CastToFp64Test, IntegersThatBecomeFloatsBecomeFloat64) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId quotient = g.Call("aten::div.Tensor", {x, g.Call("aten::add.Tensor", {x, 3})});
  const ValueId scaled = g.Call("aten::mul.Tensor", {x, 0.1});
  const ValueId number = g.Call("aten::_local_scalar_dense", {g.Call("aten::sum", {scaled})});
  g.Return({quotient, scaled, g.Call("aten::full", {{2}, number})});
  const BothRuns runs = RunBoth(g.graph(), {at::arange(5)});
  for (size_t i = 0; i < 3; ++i) EXPECT_LT(runs.RelativeError(i), 1e-6);
}

TEST(CastToFp64Test, TensorConstantsAreWidened) {
  TestGraph g;
  const ValueId c = g.Constant("c", at::full({2}, 0.1, at::kHalf));
  const ValueId k = g.Constant("k", at::arange(2));
  g.Return({g.Call("aten::add.Tensor", {c, k})});
  const Graph cast = *CastToFp64(g.graph());
  EXPECT_EQ(cast.constants()[0].tensor.scalar_type(), at::kDouble);
  EXPECT_EQ(cast.constants()[1].tensor.scalar_type(), at::kLong);
  EXPECT_EQ(g.graph().constants()[0].tensor.scalar_type(), at::kHalf);
}

TEST(CastToFp64Test, InputsKeepStridesAndSharedMemory) {
  const at::Tensor base = at::arange(24).to(at::kFloat).reshape({2, 3, 4});
  const auto cast = *CastInputsToFp64({base, base.transpose(0, 2), at::ones({1}).expand({3}),
                                       base.select(0, 1), c10::IValue(3), at::Tensor()});
  EXPECT_EQ(DtypeOf(cast[1]), at::kDouble);
  EXPECT_EQ(cast[1].toTensor().strides(), base.transpose(0, 2).strides());
  EXPECT_EQ(cast[2].toTensor().strides(), at::IntArrayRef({0}));
  EXPECT_TRUE(SameTensor(cast[3].toTensor(), base.select(0, 1).to(at::kDouble)));
  cast[0].toTensor().zero_();
  EXPECT_EQ(cast[3].toTensor().abs().sum().item<double>(), 0);
  EXPECT_GT(base.sum().item<float>(), 0);
  EXPECT_EQ(cast[4].toInt(), 3);
  EXPECT_FALSE(cast[5].toTensor().defined());
}

TEST(CastToFp64Test, TensorsThatReadTheSameMemoryAsDifferentDtypesAreRefused) {
  const at::Tensor x = at::ones({4});
  EXPECT_EQ(CastInputsToFp64({x, x.view(at::kInt)}).error().message,
            "tensors of the dtypes Float and Int share memory, which they cannot in float64");
  EXPECT_FALSE(CastInputsToFp64({at::arange(4), x.view(at::kHalf), x}).ok());
  TestGraph g;
  g.Return({g.Constant("c", x), g.Constant("k", x.view(at::kInt))});
  EXPECT_FALSE(CastToFp64(g.graph()).ok());
}

TEST(CastToFp64Test, SharedMemoryThatStaysAsItIsIsNoReasonToRefuse) {
  const at::Tensor n = at::arange(4);
  EXPECT_TRUE(CastInputsToFp64({n, n.view(at::kInt)}).ok());
  const at::Tensor z = at::complex(at::ones({4}), at::ones({4}));
  const auto cast = *CastInputsToFp64({z, at::view_as_real(z)});
  EXPECT_TRUE(cast[0].toTensor().is_alias_of(cast[1].toTensor()));
}

TEST(CastToFp64Test, ComplexInputsAreWidened) {
  const at::Tensor z = at::complex(at::ones({4}), at::full({4}, 2.0)).slice(0, 1, 4, 2).conj();
  const at::Tensor cast = CastInputsToFp64({z})->at(0).toTensor();
  EXPECT_EQ(cast.scalar_type(), at::kComplexDouble);
  EXPECT_TRUE(cast.is_conj());
  EXPECT_EQ(cast.strides(), z.strides());
  EXPECT_TRUE(cast.equal(z.to(at::kComplexDouble)));
}

TEST(CastToFp64Test, APerceptronWithDropoutHasTheSameMaskAndASmallError) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId hidden = g.Call("aten::relu", {g.Call("aten::mm", {x, w})});
  const ValueId noise = g.Call("aten::empty_like", {hidden});
  const ValueId drawn = g.Call("aten::bernoulli_.float", {noise, 0.5});
  const ValueId dropped = g.Call("aten::mul.Tensor", {hidden, g.Call("aten::div_.Scalar", {drawn, 0.5})});
  const auto native = g.CallAll("aten::native_dropout", {dropped, 0.3, true});
  const ValueId uniform = g.Call("aten::rand", {{16, 16}});
  g.Return({g.Call("aten::_log_softmax", {g.Call("aten::add.Tensor", {native[0], uniform}), 1, false}),
            native[1]});
  const BothRuns runs = RunBoth(g.graph(), {at::randn({16, 8}), at::randn({8, 16})});
  EXPECT_LT(runs.RelativeError(0), 1e-6);
  EXPECT_TRUE(SameTensor(runs.narrow[1].toTensor(), runs.wide[1].toTensor()));
}

TEST(CastToFp64Test, AutocastShowsTheErrorOfBfloat16) {
  TestGraph g;
  const ValueId x = g.Call("aten::_to_copy", {g.Placeholder("x")}, {{"dtype", at::kBFloat16}});
  const ValueId w = g.Call("aten::_to_copy", {g.Placeholder("w")}, {{"dtype", at::kBFloat16}});
  const ValueId product = g.Call("aten::mm", {x, w});
  g.Return({g.Call("aten::_to_copy", {product}, {{"dtype", at::kFloat}})});
  const BothRuns runs = RunBoth(g.graph(), {at::randn({16, 8}), at::randn({8, 16})});
  EXPECT_LT(runs.RelativeError(0), 1e-2);
  EXPECT_GT(runs.RelativeError(0), 1e-4);
}

TEST(CastToFp64Test, RandomOperatorsAndReinterpretedBitsAreRefusedByName) {
  TestGraph random;
  random.Return({random.Call("aten::rand", {{2}})});
  EXPECT_EQ(CastToFp64(random.graph()).error().message, "aten::rand draws other random numbers in float64");
  TestGraph bits;
  bits.Return({bits.Call("aten::view.dtype", {bits.Placeholder("x"), at::kInt})});
  EXPECT_EQ(CastToFp64(bits.graph()).error().message,
            "aten::view.dtype reinterprets bits, which differ in float64");
}

TEST(CastToFp64Test, TheDefaultDtypeIsPutBack) {
  {
    const Fp64Scope scope;
    EXPECT_EQ(at::zeros({1}).scalar_type(), at::kDouble);
  }
  EXPECT_EQ(at::zeros({1}).scalar_type(), at::kFloat);
}

TEST(CastToFp64Test, TensorsInsideOfInputsAreCastToo) {
  const auto cast = *CastInputsToFp64({c10::List<at::Tensor>({at::ones({2}, at::kHalf)})});
  EXPECT_EQ(cast.at(0).toTensorList().get(0).scalar_type(), at::kDouble);
}

}  // namespace
}  // namespace culprit::graph
