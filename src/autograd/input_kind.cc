// SPDX-License-Identifier: Apache-2.0
#include "autograd/input_kind.h"

#include <tuple>
#include <unordered_map>

#include "graph/argument.h"

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

}  // namespace culprit::autograd
