// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/exception_text.h"

#include <c10/util/Type.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include "graph/tensors/torch_error.h"

namespace culprit::tests {
namespace {

std::string EssentialText(const std::exception& error) {
  if (const auto* thrown = dynamic_cast<const torch::jit::JITException*>(&error)) {
    if (const auto message = thrown->getOriginalMsg()) return *message;
  }
  const std::string text = graph::TorchMessage(error);
  constexpr std::string_view kBeginning = "\nRuntimeError: ";
  const size_t begin = text.rfind(kBeginning);
  return begin == std::string::npos ? text : text.substr(begin + kBeginning.size());
}

}  // namespace

std::string ExceptionText(const std::exception& error) {
  std::string python_class;
  if (const auto* thrown = dynamic_cast<const torch::jit::JITException*>(&error))
    python_class = thrown->getPythonClassName().value_or("no class of Python");
  return fmt::format("{} {}: {}", c10::demangle(typeid(error).name()), python_class, EssentialText(error));
}

}  // namespace culprit::tests
