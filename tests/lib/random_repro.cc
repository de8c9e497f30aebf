// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_repro.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/_conj.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>

#include <random>

#include "tests/lib/graph_builder.h"
#include "tests/lib/random_graph.h"

namespace culprit::tests {
namespace {

constexpr at::ScalarType kDtypes[] = {
    at::kByte,         at::kChar,          at::kShort, at::kInt,    at::kLong,
    at::kHalf,         at::kBFloat16,      at::kFloat, at::kDouble, at::kComplexHalf,
    at::kComplexFloat, at::kComplexDouble, at::kBool,
};

class InputMaker {
 public:
  explicit InputMaker(uint64_t seed) : dice_(seed), generator_(at::detail::createCPUGenerator(seed)) {}

  int64_t Between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(dice_);
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }

  at::Tensor Vector(int64_t count, at::ScalarType dtype) {
    if (!c10::isFloatingType(dtype) && !c10::isComplexType(dtype))
      return at::randint(dtype == at::kBool ? 2 : 100, {count}, generator_).to(dtype);
    const at::Tensor numbers = at::randn({count * (c10::isComplexType(dtype) ? 2 : 1)}, generator_);
    at::Tensor special = numbers.clone();
    if (special.numel() > 3) {
      special[0] = std::numeric_limits<double>::quiet_NaN();
      special[1] = -std::numeric_limits<double>::infinity();
      special[2] = -0.0;
    }
    if (!c10::isComplexType(dtype)) return special.to(dtype);
    return special.to(c10::toRealValueType(dtype)).view(dtype);
  }

  at::ScalarType Dtype() { return kDtypes[Between(0, std::size(kDtypes) - 1)]; }

  // Some view of a vector: dense, transposed, sliced, expanded, overlapping, without elements, a number.
  at::Tensor Strided(const at::Tensor& vector) {
    switch (Between(0, 7)) {
      case 0:
        return vector.as_strided({3, 4}, {4, 1});
      case 1:
        return vector.as_strided({3, 4}, {1, 3});
      case 2:
        return vector.as_strided({2, 3}, {8, 2}, 1);
      case 3:
        return vector.as_strided({4, 3}, {0, 1});
      case 4:
        return vector.as_strided({5, 4}, {2, 1});
      case 5:
        return vector.as_strided({0, 3}, {3, 1});
      case 6:
        return vector.as_strided({}, {}, 2);
      default:
        return vector;
    }
  }

  at::Tensor Plain() {
    const at::ScalarType dtype = Dtype();
    at::Tensor tensor = Strided(Vector(Chance(20) ? 2000 : 24, dtype));
    if (c10::isComplexType(dtype) && Chance(30)) tensor = at::_conj(tensor);
    // libtorch cannot look at complex halves that are both.
    const bool negatable =
        c10::isFloatingType(dtype) || (c10::isComplexType(dtype) && dtype != at::kComplexHalf);
    if (negatable && Chance(30)) tensor = at::_neg_view(tensor);
    return WithGrad(tensor);
  }

  at::Tensor WithGrad(at::Tensor tensor) {
    const bool differentiable = tensor.is_floating_point() || tensor.is_complex();
    if (!differentiable || Chance(60)) return tensor;
    tensor = tensor.detach();
    tensor.requires_grad_(true);
    return Chance(50) ? tensor : tensor.view_as(tensor);
  }

  at::Tensor Sparse() {
    const at::Tensor dense =
        at::randn({4, 5}, generator_).clamp_min(0).to(Chance(50) ? at::kFloat : at::kDouble);
    at::Tensor sparse = dense.to_sparse();
    if (Chance(30)) sparse = sparse.add(sparse.clone());
    if (Chance(50)) sparse._coalesced_(false);
    if (Chance(50)) return sparse;
    sparse = sparse.detach().requires_grad_(true);
    // A leaf, or one that was computed.
    return Chance(50) ? sparse : sparse.clone();
  }

  at::Tensor Quantised() {
    const at::ScalarType dtypes[] = {at::kQInt8, at::kQUInt8, at::kQInt32};
    const at::ScalarType dtype = dtypes[Between(0, 2)];
    const at::Tensor numbers = at::randn({3, 4}, generator_);
    if (Chance(50)) return at::quantize_per_tensor(Chance(50) ? numbers : numbers.t(), 0.1, 3, dtype);
    const at::Tensor scales = at::rand({4}, generator_).to(at::kDouble).add(0.01);
    return at::quantize_per_channel(numbers, scales, at::arange(4), 1, dtype);
  }

  std::mt19937_64 dice_;
  at::Generator generator_;
};

// Something that every such tensor can do, and whose result is plain.
graph::ValueId Use(TestGraph& g, graph::ValueId x, const at::Tensor& tensor) {
  if (tensor.is_quantized()) return g.Call("aten::dequantize.self", {x});
  if (tensor.is_sparse()) return g.Call("aten::to_dense", {x});
  const bool half_complex = tensor.scalar_type() == at::kComplexHalf;
  return half_complex ? g.Call("aten::alias", {x}) : g.Call("aten::clone", {x});
}

repro::Repro OddInputs(uint64_t seed) {
  InputMaker maker(seed);
  TestGraph g;
  std::vector<c10::IValue> inputs;
  std::vector<graph::Argument> outputs;
  const auto add = [&](const at::Tensor& tensor) {
    const graph::ValueId x = g.Placeholder(fmt::format("arg{}_1", inputs.size()));
    inputs.emplace_back(tensor);
    outputs.emplace_back(Use(g, x, tensor));
  };
  for (int64_t count = maker.Between(1, 3); count > 0; --count) {
    const int64_t kind = maker.Between(0, 9);
    if (kind == 0) {
      add(maker.Sparse());
    } else if (kind <= 2) {
      add(maker.Quantised());
    } else if (kind == 3) {
      // Two that share memory.
      const at::Tensor vector = maker.Vector(24, maker.Dtype());
      add(vector);
      add(maker.WithGrad(maker.Strided(vector)));
    } else {
      add(maker.Plain());
    }
  }
  if (maker.Chance(20))
    outputs.emplace_back(g.Constant("c", maker.Vector(maker.Chance(50) ? 20 : 1500, at::kFloat)));
  if (maker.Chance(30)) outputs.emplace_back(g.Call("aten::rand", {{3}}));
  if (maker.Chance(30)) {
    const graph::ValueId square = g.Placeholder("square");
    inputs.emplace_back(at::randn({4, 4}, maker.generator_));
    outputs.emplace_back(g.Call("aten::mm", {square, square}));
  }
  graph::Graph graph = g.graph();
  graph.SetOutputs(std::move(outputs));
  return {std::move(graph), std::move(inputs), {}};
}

// Operators of a random graph may have no kernel for the dtype that autocast gives them.
repro::RunSettings RandomSettings(uint64_t seed, bool may_change_dtypes) {
  InputMaker maker(seed);
  repro::RunSettings settings{.grad = seed % 2 == 0, .threads = 1 + static_cast<int>(seed % 2), .seed = seed};
  settings.inference = maker.Chance(20);
  if (may_change_dtypes && maker.Chance(40)) settings.autocast = repro::Autocast{};
  if (may_change_dtypes && maker.Chance(20)) settings.default_dtype = at::kDouble;
  if (maker.Chance(30)) {
    // In the middle of its sequence.
    at::randn({5}, maker.generator_);
    const at::Tensor state = maker.generator_.get_state();
    settings.generator_state = {static_cast<const char*>(state.data_ptr()), state.nbytes()};
  }
  return settings;
}

}  // namespace

repro::Repro MakeRandomRepro(uint64_t seed) {
  repro::Repro repro;
  if (seed % 3 == 0) {
    RandomGraph random = MakeRandomGraph(seed / 3);
    repro = {std::move(random.graph), std::move(random.inputs), {}};
  } else {
    repro = OddInputs(seed);
  }
  repro.header.run = RandomSettings(seed, /*may_change_dtypes=*/seed % 3 != 0);
  return repro;
}

}  // namespace culprit::tests
