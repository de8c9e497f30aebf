// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/autograd/variable.h>

#include <string>

namespace culprit::autograd {

/// Gradients that something compiled has computed, `name`: whoever differentiates them again hears that there
/// are no second derivatives.
torch::autograd::variable_list OnceDifferentiable(torch::autograd::variable_list gradients,
                                                  const std::string& name);

}  // namespace culprit::autograd
