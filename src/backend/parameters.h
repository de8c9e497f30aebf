// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

namespace culprit::backend {

/// How a backend wants parameters and buffers. Many bugs exist only with frozen weights, so that is a part of
/// the failure.
enum class Parameters : uint8_t {
  /// As inputs, as autograd needs them.
  kLifted,
  /// As constants, as folding and packing need them: their values at the time of compilation.
  kFrozen,
  /// As constants where no gradients are recorded, otherwise as inputs: whoever takes what is trained for a
  /// constant trains nothing.
  kFrozenForInference,
};

/// Whether they are constants for inputs like these, parameters included, in the current grad mode. Whoever
/// guards them and whoever compiles with them ask here.
bool AreFrozen(Parameters wish, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::backend
