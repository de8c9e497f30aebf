// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/torch_error.h"

#include <c10/util/Exception.h>

#include <string_view>

#include "base/internal_error.h"

namespace culprit::graph {
namespace {

// Where the part that says what happened is over.
constexpr std::string_view kAdvice[] = {
    ". This could be because the operator doesn't exist for this backend",
    ".  This usually means that this function requires a non-empty list",
    " is only available for these backends: [",
};

std::string WithoutAdvice(std::string message) {
  for (const std::string_view advice : kAdvice) {
    if (const size_t begin = message.find(advice); begin != std::string::npos) message.resize(begin);
  }
  return message;
}

}  // namespace

std::string TorchMessage(const std::exception& error) {
  if (const auto* own = dynamic_cast<const base::InternalError*>(&error)) throw *own;
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  return WithoutAdvice(torch != nullptr ? torch->what_without_backtrace() : error.what());
}

}  // namespace culprit::graph
