// SPDX-License-Identifier: Apache-2.0
//
// Random graphs: each loop that lowering makes, by itself, on what eager has computed before it.
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/lower/lower.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/map_tensors.h"
#include "tests/lib/compare_lowered.h"
#include "tests/lib/evaluate_loops.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::compiler::lower {
namespace {

c10::IValue Copied(const c10::IValue& value) {
  return graph::MapTensors(
      value, [](const at::Tensor& tensor) { return tensor.defined() ? tensor.clone() : tensor; });
}

/// Keeps copies of all values, as they were when they came into being.
class KeepAll : public graph::Observer {
 public:
  KeepAll(const graph::Graph& graph, const std::vector<c10::IValue>& inputs)
      : graph_(graph), values_(graph.values().size()) {
    for (size_t i = 0; i < inputs.size(); ++i)
      values_[Index(graph.placeholders()[i].value)] = Copied(inputs[i]);
    for (const graph::TensorConstant& constant : graph.constants())
      values_[Index(constant.value)] = constant.tensor;
  }
  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    for (size_t i = 0; i < results.size(); ++i)
      values_[Index(graph_.node(node).results[i])] = Copied(results[i]);
  }
  const std::vector<c10::IValue>& values() const { return values_; }

 private:
  const graph::Graph& graph_;
  std::vector<c10::IValue> values_;
};

/// Where eager's own answer is a matter of luck: whether an element is in a full vector decides about bounds,
/// rounding of the mean about rows of equal numbers, and scales that do not fit the sizes let it read beyond
/// the image. They have tests of their own.
constexpr std::string_view kLeftOut[] = {"aten::hardtanh_backward",   "aten::hardswish_backward",
                                         "aten::hardshrink_backward", "aten::softshrink_backward",
                                         "aten::native_layer_norm",   "aten::native_layer_norm_backward",
                                         "aten::native_group_norm",   "aten::upsample_bilinear2d"};

/// Neither infinite nor so large or small that the order of operations decides what overflows. Special
/// numbers are for the tests of single rules.
bool IsTame(double number) {
  return number == 0 || (std::abs(number) > 1e-6 && std::abs(number) < 1e6);
}

bool IsTame(const c10::IValue& value) {
  if (value.isDouble()) return IsTame(value.toDouble());
  if (!value.isTensor() || !value.toTensor().defined() || !at::isFloatingType(value.toTensor().scalar_type()))
    return true;
  const at::Tensor size = value.toTensor().abs().to(at::kDouble);
  return size.numel() == 0 ||
         (size.eq(0).logical_or(size.gt(1e-6).logical_and(size.lt(1e6)))).all().item<bool>();
}

bool HasTameOperands(const graph::Node& node, const std::vector<c10::IValue>& eager) {
  bool is_tame = true;
  for (const graph::Argument& argument : node.arguments) {
    if (argument.is_constant()) is_tame = is_tame && IsTame(argument.constant());
    ForEachValue(argument, [&](graph::ValueId id) { is_tame = is_tame && IsTame(eager[Index(id)]); });
  }
  return is_tame;
}

/// How many loops were compared, by operator.
using Compared = std::map<std::string, int64_t>;

void CompareLoops(const loops::LoopProgram& program, const std::vector<c10::IValue>& eager, uint64_t seed,
                  Compared& compared) {
  std::map<uint32_t, uint32_t> graph_values;
  for (uint32_t i = 0; i < program.value_of.size(); ++i) graph_values[Index(program.value_of[i])] = i;
  std::vector<c10::IValue> values;
  for (uint32_t i = 0; i < program.values.size(); ++i) {
    const loops::Value& value = program.values[i];
    const auto known = graph_values.find(i);
    const bool is_helper = known == graph_values.end();
    c10::IValue computed;
    if (value.loop) computed = tests::EvaluateLoop(program, values, value);
    values.push_back(is_helper ? computed : eager[known->second]);
    if (!value.loop || is_helper) continue;
    const graph::Node& node = program.graph->node(*value.node);
    const std::string op = node.op->qualified_name();
    if (std::ranges::find(kLeftOut, op) != std::end(kLeftOut) || !HasTameOperands(node, eager)) continue;
    ++compared[op];
    // Copies lie otherwise than what was copied.
    EXPECT_EQ(tests::DifferenceOf(eager[known->second].toTensor(), computed.toTensor(), /*is_view=*/true), "")
        << "seed " << seed << ": " << value.name << " = " << op;
  }
}

TEST(LowerRandomTest, EveryLoopComputesWhatItsOperatorComputes) {
  const at::NoGradGuard no_grad;
  Compared compared;
  const uint64_t graphs = tests::FullVolume() ? 5000 : 200;
  for (uint64_t seed = 0; seed < graphs; ++seed) {
    tests::RandomGraph random = tests::MakeRandomGraph(seed);
    const auto graph = std::make_shared<const graph::Graph>(std::move(random.graph));
    loops::LoopProgram program;
    try {
      program = Lower(graph, random.inputs, {});
    } catch (const NotLowerable&) {
      continue;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
      continue;
    }
    KeepAll keep(*graph, random.inputs);
    graph::Interpreter(*graph).Run(random.inputs, &keep);
    CompareLoops(program, keep.values(), seed, compared);
  }
  EXPECT_GT(compared.size(), 100U);
}

}  // namespace
}  // namespace culprit::compiler::lower
