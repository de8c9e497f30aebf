// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/failure.h"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <sstream>

namespace culprit::capture::vm {
namespace {

std::string MessageOf(const std::exception& error) {
  const auto* known = dynamic_cast<const c10::Error*>(&error);
  return known ? known->what_without_backtrace() : error.what();
}

}  // namespace

CallStack CallStackOf(const State& state) {
  CallStack entries;
  entries.reserve(state.frames.size());
  for (size_t i = 0; i < state.frames.size(); ++i) {
    const Frame& frame = state.frames[i];
    const bool is_innermost = i + 1 == state.frames.size();
    const Instruction& at = frame.code->instructions()[is_innermost ? frame.pc : frame.pc - 1];
    entries.push_back({frame.code->name(), at.node->sourceRange()});
  }
  return entries;
}

void CloseBlocks(const State& state) {
  for (size_t i = state.entered.size(); i-- > 0;) {
    const c10::IValue& object = state.entered[i];
    torch::jit::Stack stack{object, c10::IValue(), c10::IValue(), c10::IValue()};
    try {
      object.toObject()->type()->getMethod("__exit__").run(stack);
    } catch (const std::exception&) {
      // The first error is the one to tell.
    }
  }
}

std::string TraceOf(const CallStack& lines, const std::exception& error) {
  const auto* raised = dynamic_cast<const torch::jit::JITException*>(&error);
  const std::optional<std::string> python_class = raised ? raised->getPythonClassName() : std::nullopt;
  std::ostringstream text;
  text << "The following operation failed in the TorchScript interpreter.\n";
  torch::jit::format_stack_trace(text, lines);
  text << python_class.value_or("RuntimeError") << ": " << MessageOf(error) << "\n";
  return text.str();
}

void LeaveWithError(const State& state, const CallStack& lines, const std::exception& error) {
  CloseBlocks(state);
  const std::string text = TraceOf(lines, error);
  if (const auto* raised = dynamic_cast<const torch::jit::JITException*>(&error))
    throw torch::jit::JITException(text, raised->getPythonClassName(), MessageOf(error));
  if (const auto* missing = dynamic_cast<const c10::NotImplementedError*>(&error))
    throw c10::NotImplementedError(text, missing->backtrace(), missing->caller());
  throw std::runtime_error(text);
}

}  // namespace culprit::capture::vm
