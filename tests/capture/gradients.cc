// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/gradients.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <regex>
#include <unordered_map>

#include "tests/capture/exception_text.h"
#include "tests/capture/value_text.h"

namespace culprit::tests {
namespace {

using c10::IValue;

void CollectTensors(const IValue& value, std::vector<at::Tensor>& tensors) {
  value.visit([&](const IValue& part) {
    if (part.isTensor() && part.toTensor().defined()) tensors.push_back(part.toTensor());
    return part.isObject();
  });
}

bool HasFractions(const at::Tensor& tensor) {
  return tensor.is_floating_point() || tensor.is_complex();
}

/// Nodes of the autograd graph have other names and numbers when several operators are one node.
std::string WithoutNodes(const std::string& text) {
  static const std::regex node(R"(which is output \d+ of [\w:]+)");
  return std::regex_replace(text, node, "which is an output of a node");
}

/// The texts of what goes wrong are facts.
template <typename Action>
bool Try(const char* what, std::vector<Fact>& facts, Action&& action) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    facts.emplace_back(what, WithoutNodes(ExceptionText(error)));
    return false;
  }
}

std::vector<at::Tensor> WithHistory(std::vector<at::Tensor> tensors) {
  std::erase_if(tensors,
                [](const at::Tensor& tensor) { return !tensor.requires_grad() || tensor.is_leaf(); });
  return tensors;
}

/// Where backward begins. Inputs and bases count, since a program may have written into them.
std::vector<at::Tensor> Roots(const LeftBehind& left, Backward way) {
  std::vector<at::Tensor> tensors;
  CollectTensors(left.result, tensors);
  if (way == Backward::kFirst) {
    tensors = WithHistory(tensors);
    if (tensors.size() > 1) tensors.resize(1);
    return tensors;
  }
  for (const IValue& input : left.inputs) CollectTensors(input, tensors);
  tensors.insert(tensors.end(), left.bases.begin(), left.bases.end());
  return WithHistory(tensors);
}

void WriteOutputs(const LeftBehind& left, std::vector<Fact>& facts) {
  std::vector<at::Tensor> outputs;
  CollectTensors(left.result, outputs);
  for (const at::Tensor& output : outputs) {
    if (HasFractions(output)) Try("writing an output", facts, [&] { output.mul_(2); });
  }
}

void WriteInputs(const LeftBehind& left, std::vector<Fact>& facts) {
  std::vector<at::Tensor> inputs;
  for (const IValue& input : left.inputs) CollectTensors(input, inputs);
  const at::NoGradGuard no_grad;
  for (const at::Tensor& input : inputs) {
    if (HasFractions(input)) Try("writing an input", facts, [&] { input.add_(1); });
  }
}

at::Tensor RandomTangent(const at::Tensor& output, at::Generator& generator) {
  const auto dtype = output.is_complex() ? at::kComplexDouble : at::kDouble;
  return at::randn(output.sizes(), generator, dtype).to(output.scalar_type());
}

struct Start {
  std::vector<at::Tensor> roots;
  std::vector<at::Tensor> tangents;
};

Start MakeStart(const LeftBehind& left, Backward way) {
  Start start;
  auto generator = at::make_generator<at::CPUGeneratorImpl>(11);
  for (const at::Tensor& root : Roots(left, way)) {
    const bool random = way == Backward::kTangents;
    start.tangents.push_back(random ? RandomTangent(root, generator) : at::Tensor());
    const at::Tensor sum = random ? root : root.sum();
    start.roots.push_back(!random && sum.is_complex() ? at::real(sum) : sum);
  }
  return start;
}

void LookAt(const NamedLeaves& leaves, std::vector<Fact>& facts) {
  for (const auto& [name, leaf] : leaves) {
    ValueText text;
    facts.emplace_back("gradient of " + name, leaf.grad().defined() ? text.Of(leaf.grad()) : "none");
  }
}

}  // namespace

FormedInputs FormInputs(const std::vector<IValue>& inputs, InputForm form) {
  FormedInputs formed;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> made;
  for (const IValue& input : inputs) {
    const bool changes = form != InputForm::kAsWritten && input.isTensor() && HasFractions(input.toTensor());
    if (!changes) {
      formed.values.push_back(input);
      continue;
    }
    const at::Tensor& leaf = input.toTensor();
    at::Tensor& tensor = made[leaf.unsafeGetTensorImpl()];
    if (!tensor.defined() && form == InputForm::kComputed) tensor = leaf.clone();
    if (!tensor.defined()) {
      formed.bases.push_back(at::stack({leaf, leaf, leaf}));
      tensor = formed.bases.back().select(0, 1);
    }
    formed.values.emplace_back(tensor);
  }
  return formed;
}

NamedLeaves Leaves(const std::vector<IValue>& inputs, const std::optional<torch::jit::Module>& module) {
  NamedLeaves leaves;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<at::Tensor> tensors;
    CollectTensors(inputs[i], tensors);
    for (const at::Tensor& tensor : tensors) leaves.emplace_back(fmt::format("input {}", i), tensor);
  }
  if (module) {
    for (const auto& parameter : module->named_parameters())
      leaves.emplace_back(parameter.name, parameter.value);
  }
  std::erase_if(leaves,
                [](const auto& leaf) { return !leaf.second.is_leaf() || !leaf.second.requires_grad(); });
  return leaves;
}

std::vector<Fact> Gradients(const LeftBehind& left, Backward way) {
  std::vector<Fact> facts;
  for (const auto& leaf : left.leaves) leaf.second.mutable_grad() = at::Tensor();
  if (way == Backward::kAfterWritingOutputs) WriteOutputs(left, facts);
  if (way == Backward::kAfterWritingInputs) WriteInputs(left, facts);
  Start start;
  Try("summing", facts, [&] { start = MakeStart(left, way); });
  if (start.roots.empty()) return facts;
  const int times = way == Backward::kTwice ? 3 : 1;
  for (int time = 1; time <= times; ++time) {
    const bool retain = time == 1 && times > 1;
    Try("backward", facts, [&] { torch::autograd::backward(start.roots, start.tangents, retain); });
    LookAt(left.leaves, facts);
  }
  for (const auto& leaf : left.leaves) leaf.second.mutable_grad() = at::Tensor();
  return facts;
}

}  // namespace culprit::tests
