// SPDX-License-Identifier: Apache-2.0
#include "check/thrown.h"

#include "graph/torch_error.h"

namespace culprit::check {

std::optional<std::string> MessageOfThrown(c10::function_ref<void()> function) {
  try {
    function();
  } catch (const std::exception& error) {
    return graph::TorchMessage(error);
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
  return std::nullopt;
}

}  // namespace culprit::check
