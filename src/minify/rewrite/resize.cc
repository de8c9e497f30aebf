// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/resize.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"
#include "minify/program/leaves.h"
#include "minify/rewrite/adapter.h"
#include "minify/rewrite/resize_arguments.h"
#include "minify/rewrite/rewrite.h"
#include "minify/rewrite/trusting_operators.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using graph::ValueId;

bool IsDense(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->is_non_overlapping_and_dense();
}

at::Tensor Sliced(const Leaf& leaf, const NewSizes& sizes) {
  at::Tensor sliced = leaf.tensor.detach();
  for (int64_t dim = 0; dim < sliced.dim(); ++dim) {
    const auto size = sizes.find({leaf.name, dim});
    if (size != sizes.end() && size->second < sliced.size(dim)) sliced = sliced.narrow(dim, 0, size->second);
  }
  // Gaps stay gaps.
  if (IsDense(leaf.tensor)) sliced = DenseCopy(sliced, leaf.tensor);
  return WithGradnessOf(sliced, leaf.tensor);
}

bool IsIndices(const at::Tensor& tensor) {
  return c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false) && tensor.numel() > 0;
}

class Resizer {
 public:
  Resizer(const Subject& subject, std::map<std::string, at::Tensor> tensors)
      : subject_(subject),
        rewrite_{.tensors = std::move(tensors)},
        values_(subject.graph().values().size()) {}

  base::Result<Program> Run() {
    rewrite_.change_node = [this](graph::NodeId, graph::Node& node) { Step(node); };
    try {
      const at::NoGradGuard no_grad;
      Begin();
      return Rewritten(subject_.program(), rewrite_);
    } catch (const std::exception& error) {
      return base::Diagnostic{{}, "the graph does not run in eager: " + graph::TorchMessage(error)};
    }
  }

 private:
  /// Writes must reach the copies only.
  void Begin() {
    const graph::Graph& graph = subject_.graph();
    std::vector<ValueId> ids;
    std::vector<c10::IValue> leaves;
    const auto add = [&](ValueId id, const c10::IValue& before) {
      const auto tensor = rewrite_.tensors.find(graph.value(id).name);
      ids.push_back(id);
      leaves.push_back(tensor == rewrite_.tensors.end() ? before : c10::IValue(tensor->second));
    };
    for (size_t i = 0; i < graph.placeholders().size(); ++i)
      add(graph.placeholders()[i].value, subject_.program().inputs[i]);
    for (const graph::TensorConstant& constant : graph.constants()) add(constant.value, constant.tensor);
    std::vector<c10::IValue> copies = graph::CopyAll(leaves);
    for (size_t i = 0; i < ids.size(); ++i) Set(ids[i], std::move(copies[i]));
  }

  void Step(graph::Node& node) {
    ResizedCall call{.operands = {}, .sizes = sizes_};
    for (const Argument& argument : node.arguments)
      call.operands.push_back(argument.is_value() ? OperandOf(argument.value()) : std::nullopt);
    ResizeArguments(node, call);
    std::vector<c10::IValue> results = Call(node);
    for (size_t i = 0; i < results.size(); ++i) Set(node.results[i], std::move(results[i]));
  }

  std::optional<ResizedOperand> OperandOf(ValueId id) const {
    const std::optional<graph::Geometry> before = GeometryOf(subject_, id);
    const c10::IValue& now = values_[Index(id)];
    if (!before || !now.isTensor() || !now.toTensor().defined()) return std::nullopt;
    return ResizedOperand{before->sizes, now.toTensor().sizes().vec()};
  }

  /// A graph of one node: the interpreter knows how a call is made.
  std::vector<c10::IValue> Call(const graph::Node& node) const {
    graph::Graph call;
    std::map<uint32_t, ValueId> operands;
    std::vector<c10::IValue> inputs;
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments) {
      arguments.push_back(MapValues(argument, [&](ValueId id) -> Argument {
        const auto [operand, is_new] = operands.try_emplace(Index(id));
        const graph::Value& value = subject_.graph().value(id);
        if (is_new) {
          operand->second = call.AddPlaceholder(value.name, graph::PlaceholderKind::kInput, value.kind);
          inputs.push_back(values_[Index(id)]);
        }
        return operand->second;
      }));
    }
    std::vector<std::string> names;
    for (const ValueId result : node.results) names.push_back(subject_.graph().value(result).name);
    const std::vector<ValueId> results =
        call.AddNode(*node.op, std::move(arguments), std::move(names)).results;
    call.SetOutputs({results.begin(), results.end()});
    return graph::Interpreter(call).Run(std::move(inputs));
  }

  /// Notes what has become of the sizes.
  void Set(ValueId id, c10::IValue value) {
    values_[Index(id)] = std::move(value);
    const std::optional<ResizedOperand> operand = OperandOf(id);
    if (!operand) return;
    for (size_t i = 0; i < operand->before.size() && operand->before.size() == operand->now.size(); ++i) {
      TORCH_CHECK(operand->now[i] > 0 || operand->before[i] == 0, "a tensor would be empty");
      if (operand->before[i] != operand->now[i]) sizes_.try_emplace(operand->before[i], operand->now[i]);
    }
  }

  const Subject& subject_;
  Rewrite rewrite_;
  std::vector<c10::IValue> values_;
  std::map<int64_t, int64_t> sizes_;
};

/// Integers that fit the smallest of the sizes that something was cut to.
bool WrapIndices(const std::vector<Leaf>& leaves, int64_t smallest,
                 std::map<std::string, at::Tensor>& tensors) {
  bool wrapped = false;
  for (const Leaf& leaf : leaves) {
    if (!leaf.is_replaceable || !IsIndices(leaf.tensor)) continue;
    const auto sliced = tensors.find(leaf.name);
    const at::Tensor& now = sliced == tensors.end() ? leaf.tensor : sliced->second;
    if (now.max().item<int64_t>() < smallest) continue;
    tensors[leaf.name] = now.remainder(smallest);
    wrapped = true;
  }
  return wrapped;
}

}  // namespace

base::Result<Program> Resized(const Subject& subject, const NewSizes& sizes) {
  if (HasTrustingOperator(subject.graph())) return base::Diagnostic{{}, "an operator would not notice"};
  const std::vector<Leaf> leaves = LeavesOf(subject.program());
  std::map<std::string, at::Tensor> tensors;
  int64_t smallest = INT64_MAX;
  for (const auto& [place, size] : sizes) {
    const auto leaf = std::ranges::find(leaves, place.leaf, &Leaf::name);
    if (leaf == leaves.end() || place.dim >= leaf->tensor.dim() || leaf->tensor.size(place.dim) <= size)
      return base::Diagnostic{{}, "nothing would change"};
    if (!leaf->is_replaceable) return base::Diagnostic{{}, "a tensor that shares its memory"};
    smallest = std::min(smallest, size);
    if (!tensors.contains(leaf->name)) tensors.emplace(leaf->name, Sliced(*leaf, sizes));
  }
  if (tensors.empty()) return base::Diagnostic{{}, "nothing would change"};
  base::Result<Program> resized = Resizer(subject, tensors).Run();
  if (resized.ok() || !WrapIndices(leaves, smallest, tensors)) return resized;
  return Resizer(subject, std::move(tensors)).Run();
}

}  // namespace culprit::minify
