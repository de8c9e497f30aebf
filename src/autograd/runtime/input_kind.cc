// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/input_kind.h"

#include <tuple>
#include <unordered_map>

#include "graph/ir/argument.h"
#include "graph/sizes/expressions/layout.h"

namespace culprit::autograd {
namespace {

bool IsSameOther(const c10::IValue& a, const c10::IValue& b) {
  // Generators are inputs whatever they are.
  if (a.isGenerator() || b.isGenerator()) return a.isGenerator() == b.isGenerator();
  return graph::SameConstant(a, b);
}

}  // namespace

bool InputKind::Input::operator==(const Input& input) const {
  const auto facts = [](const Input& each) {
    return std::tie(each.sizes, each.strides, each.dtype, each.requires_grad, each.is_leaf, each.is_view,
                    each.is_conj, each.is_neg, each.memory, each.offset);
  };
  return facts(*this) == facts(input) && IsSameOther(other, input.other);
}

InputKind InputKind::Of(const backend::Values& inputs, bool with_offsets) {
  InputKind kind{.modes = TraceModes::Current()};
  kind.inputs.resize(inputs.size());
  std::unordered_map<const c10::StorageImpl*, size_t> storages;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Input& input = kind.inputs[i];
    if (!inputs[i].isTensor() || !inputs[i].toTensor().defined()) {
      if (!inputs[i].isTensor()) input.other = inputs[i];
      continue;
    }
    const at::Tensor& tensor = inputs[i].toTensor();
    if (!tensor.has_storage()) {
      // No trace is made for such ones, whatever they are.
      input = {.sizes = tensor.sizes().vec(), .dtype = tensor.scalar_type(), .memory = i};
      continue;
    }
    const auto [first, is_first] = storages.try_emplace(tensor.storage().unsafeGetStorageImpl(), i);
    input = {.sizes = tensor.sizes().vec(),
             .strides = tensor.strides().vec(),
             .dtype = tensor.scalar_type(),
             .requires_grad = tensor.requires_grad(),
             .is_leaf = tensor.is_leaf(),
             .is_view = tensor.is_view(),
             .is_conj = tensor.is_conj(),
             .is_neg = tensor.is_neg(),
             .memory = first->second};
    if (with_offsets) {
      input.offset = tensor.storage_offset();
    } else if (!is_first) {
      input.offset = tensor.storage_offset() - inputs[first->second].toTensor().storage_offset();
    }
  }
  return kind;
}

InputKind InputKind::ForAllSizes(const graph::Graph& graph) const {
  constexpr int64_t kAny = -1;
  InputKind kind = *this;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::string>& symbols = graph.placeholders()[i].symbols;
    if (symbols.empty()) continue;
    Input& input = kind.inputs[i];
    if (input.other.isInt() && input.other.toInt() >= 2) input.other = kAny;
    if (input.strides.empty()) continue;
    const auto layout = graph::sizes::Layout::Of(input.sizes, input.strides);
    bool any = false;
    for (size_t k = 0; k < symbols.size() && k < input.sizes.size(); ++k) {
      if (symbols[k].empty() || input.sizes[k] < 2) continue;
      input.sizes[k] = kAny;
      any = true;
    }
    // Told apart by what they would be for other sizes.
    if (any) input.strides = layout.StridesFor(std::vector<int64_t>(input.sizes.size(), 2));
  }
  return kind;
}

}  // namespace culprit::autograd
