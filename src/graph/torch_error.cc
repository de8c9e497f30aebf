// SPDX-License-Identifier: Apache-2.0
#include "graph/torch_error.h"

#include <c10/util/Exception.h>

#include "base/internal_error.h"

namespace culprit::graph {

std::string TorchMessage(const std::exception& error) {
  if (const auto* own = dynamic_cast<const base::InternalError*>(&error)) throw *own;
  if (const auto* torch = dynamic_cast<const c10::Error*>(&error)) return torch->what_without_backtrace();
  return error.what();
}

}  // namespace culprit::graph
