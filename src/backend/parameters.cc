// SPDX-License-Identifier: Apache-2.0
#include "backend/parameters.h"

#include <c10/core/GradMode.h>

#include <algorithm>

namespace culprit::backend {

bool AreFrozen(Parameters wish, const std::vector<c10::IValue>& inputs) {
  if (wish != Parameters::kFrozenForInference) return wish == Parameters::kFrozen;
  return !c10::GradMode::is_enabled() || std::ranges::none_of(inputs, [](const c10::IValue& input) {
    return input.isTensor() && input.toTensor().requires_grad();
  });
}

}  // namespace culprit::backend
