// SPDX-License-Identifier: Apache-2.0
#include "capture/numbers/known_tensors.h"

#include <ATen/core/List.h>

#include <algorithm>

namespace culprit::capture {
namespace {

using c10::IValue;

const void* MemoryOf(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

void AddTensors(const IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor() && value.toTensor().defined()) tensors.push_back(value.toTensor());
  if (!value.isList()) return;
  for (const IValue& element : value.toListRef()) AddTensors(element, tensors);
}

}  // namespace

std::vector<at::Tensor> TensorsIn(const IValue& value) {
  std::vector<at::Tensor> tensors;
  AddTensors(value, tensors);
  return tensors;
}

bool KnownTensors::MayKnow(const at::Tensor& value) {
  return value.defined() && value.layout() == at::kStrided && value.device().is_cpu() &&
         !value.is_quantized() && !value.is_complex() && !value.requires_grad() &&
         value.numel() <= kMostElements;
}

void KnownTensors::Know(const at::Tensor& fake, const at::Tensor& value) {
  known_.try_emplace(fake.unsafeGetTensorImpl(), Known{fake, value});
}

void KnownTensors::KnowConstant(const at::Tensor& fake, const at::Tensor& constant) {
  // Of a tensor without a version nobody notices that it was written into.
  if (!MayKnow(constant) || constant.is_inference() || written_memory_.contains(MemoryOf(fake))) return;
  known_.try_emplace(fake.unsafeGetTensorImpl(), Known{fake, constant.clone(), /*is_constant=*/true});
}

void KnownTensors::KnowAll(c10::ArrayRef<IValue> fakes, c10::ArrayRef<IValue> values) {
  for (size_t i = 0; i < fakes.size(); ++i) {
    const std::vector<at::Tensor> parts = TensorsIn(fakes[i]);
    const std::vector<at::Tensor> numbers = TensorsIn(values[i]);
    for (size_t k = 0; k < parts.size(); ++k) Know(parts[k], numbers[k]);
  }
}

std::optional<torch::jit::Stack> KnownTensors::ValuesOf(c10::ArrayRef<IValue> arguments) {
  std::vector<Known*> used;
  const auto find = [&](const at::Tensor& tensor) -> const at::Tensor* {
    const auto known = known_.find(tensor.unsafeGetTensorImpl());
    if (known == known_.end()) return nullptr;
    used.push_back(&known->second);
    return &known->second.value;
  };
  torch::jit::Stack values;
  for (const IValue& argument : arguments) {
    values.push_back(argument);
    if (argument.isTensor()) {
      const at::Tensor* value = find(argument.toTensor());
      if (value == nullptr) return std::nullopt;
      values.back() = *value;
    } else if (argument.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : argument.toTensorList()) {
        const at::Tensor* value = find(tensor);
        if (value == nullptr) return std::nullopt;
        list.push_back(*value);
      }
      values.back() = list;
    }
  }
  if (used.empty()) return std::nullopt;
  for (Known* known : used) {
    if (known->is_constant && !std::exchange(known->is_used, true)) used_constants_.push_back(known->fake);
  }
  return values;
}

bool KnownTensors::Shares(const at::Tensor& fake) const {
  return std::ranges::any_of(
      known_, [&](const auto& entry) { return MemoryOf(entry.second.fake) == MemoryOf(fake); });
}

bool KnownTensors::SharesConstant(const at::Tensor& fake) const {
  return std::ranges::any_of(known_, [&](const auto& entry) {
    return entry.second.is_constant && MemoryOf(entry.second.fake) == MemoryOf(fake);
  });
}

void KnownTensors::NoteWrite(const at::Tensor& fake) {
  written_memory_.insert(MemoryOf(fake));
}

void KnownTensors::Forget(const at::Tensor& fake) {
  std::erase_if(known_, [&](const auto& entry) { return MemoryOf(entry.second.fake) == MemoryOf(fake); });
}

}  // namespace culprit::capture
