// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/compiled_backward.h"

#include <algorithm>

#include "autograd/runtime/once_differentiable.h"

namespace culprit::autograd {

using torch::autograd::variable_list;

void CompiledBackward::Save(const c10::IValue& value, bool is_output) {
  Saved& saved = saved_.emplace_back();
  if (value.isTensor()) {
    saved.tensor.emplace(value.toTensor(), is_output);
  } else {
    saved.other = value;
  }
}

variable_list CompiledBackward::apply(variable_list&& tangents) {
  const std::lock_guard lock(mutex_);
  const auto unpack = [this](size_t index) {
    const Saved& saved = saved_[index];
    return saved.tensor ? c10::IValue(saved.tensor->unpack(getptr())) : saved.other;
  };
  const bool is_linear = saved_.empty() && std::ranges::none_of(tangents, [](const at::Tensor& tangent) {
                           return tangent.defined() && tangent.requires_grad();
                         });
  std::vector<bool> wanted(backwards_->gradients().size());
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = next_edge(i).is_valid() && task_should_compute_output(i);
  const auto sizes = [this](size_t index) { return input_metadata(index).zeros_like().sizes().vec(); };
  variable_list gradients = backwards_->Run(unpack, std::move(tangents), sizes, symbols_, wanted);
  return is_linear ? gradients : OnceDifferentiable(std::move(gradients), name());
}

void CompiledBackward::release_variables() {
  const std::lock_guard lock(mutex_);
  for (Saved& saved : saved_) {
    if (saved.tensor) saved.tensor->reset_data();
  }
}

}  // namespace culprit::autograd
