// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/tame.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/where.h>

#include "graph/ir/rebuild.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::tests {
namespace {

constexpr double kLargest = 64;
constexpr double kSmallest = 1e-3;
constexpr double kTiny = 1e-15;
constexpr double kHuge = 1e6;

bool IsTame(const at::Tensor& tensor) {
  return !tensor.defined() || !at::isFloatingType(tensor.scalar_type()) || tensor.numel() == 0;
}

/// In its memory, so that views of it stay views.
void TameInPlace(const at::Tensor& tensor, const at::Generator& generator) {
  if (IsTame(tensor)) return;
  const at::Tensor numbers = tensor.to(at::kDouble);
  const at::Tensor moved = numbers.mul(at::rand(tensor.sizes(), generator, at::kDouble).mul(0.05).add(1));
  const at::Tensor size = numbers.abs();
  const at::Tensor is_moderate = size.lt(kLargest).logical_and(size.gt(kSmallest));
  const at::Tensor other = at::rand(tensor.sizes(), generator, at::kDouble).add(0.5);
  tensor.copy_(at::where(is_moderate, moved, other));
}

/// Numbers among the arguments, too.
graph::Argument TameNumber(const graph::Argument& argument) {
  if (argument.is_value() || !argument.is_constant() || !argument.constant().isDouble()) return argument;
  const double size = std::abs(argument.constant().toDouble());
  const bool is_tame = size == 0 || (size > kTiny && size < kHuge);
  return is_tame ? argument : graph::Argument(c10::IValue(0.75));
}

}  // namespace

GraphCase Tame(const GraphCase& wild, uint64_t seed) {
  const at::NoGradGuard no_grad;
  const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  GraphCase tame{{}, graph::CopyAll(wild.inputs)};
  for (const c10::IValue& input : tame.inputs)
    if (input.isTensor()) TameInPlace(input.toTensor(), generator);
  graph::Rebuild rebuild(wild.graph);
  rebuild.CopyPlaceholders();
  for (const graph::TensorConstant& constant : wild.graph.constants()) {
    const at::Tensor copy = graph::CopyAll({constant.tensor})[0].toTensor();
    TameInPlace(copy, generator);
    const std::string& name = wild.graph.value(constant.value).name;
    rebuild.Replace(constant.value, rebuild.graph().AddConstant(name, copy, constant.device));
  }
  for (const graph::Node& node : wild.graph.nodes()) {
    std::vector<graph::Argument> arguments;
    for (const graph::Argument& argument : node.arguments)
      arguments.push_back(TameNumber(rebuild.Map(argument)));
    rebuild.CopyNode(node, std::move(arguments));
  }
  rebuild.CopyOutputs();
  tame.graph = std::move(rebuild).Take();
  return tame;
}

}  // namespace culprit::tests
