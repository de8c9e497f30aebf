// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/once_differentiable.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

namespace culprit::autograd {

torch::autograd::variable_list OnceDifferentiable(torch::autograd::variable_list gradients,
                                                  const std::string& name) {
  if (!at::GradMode::is_enabled()) return gradients;
  // Only who differentiates again notices; those that require no gradient would pass for constants.
  for (at::Tensor& gradient : gradients) {
    if (gradient.defined()) gradient = gradient.detach().requires_grad_();
  }
  const auto error = c10::make_intrusive<torch::autograd::DelayedError>(
      fmt::format("{} was compiled: it has no second derivatives", name), gradients.size());
  return (*error)(std::move(gradients));
}

}  // namespace culprit::autograd
