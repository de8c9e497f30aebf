// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/real_effects.h"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include "capture/vm/containers.h"
#include "capture/vm/failure.h"
#include "capture/vm/machine.h"

namespace culprit::capture::vm {

using torch::jit::Stack;

void RealEffects::CallOperator(const Instruction& instruction, Stack& stack) {
  Perform(instruction, stack);
}

void RealEffects::SetAttribute(const ObjectPtr& object, size_t slot, c10::IValue value) {
  object->setSlot(slot, std::move(value));
}

ObjectPtr RealEffects::CreateObject(const c10::ClassTypePtr& type) {
  return MakeObject(type);
}

void RealEffects::CallNative(torch::jit::Function& function, Stack& stack) {
  function.run(stack);
}

void RealEffects::Fork(const Code& code, Stack& stack, size_t arguments) {
  Stack inputs(stack.end() - static_cast<ptrdiff_t>(arguments), stack.end());
  torch::jit::drop(stack, arguments);
  auto future = c10::make_intrusive<c10::ivalue::Future>(code.return_type());
  State state = State::AtEntry(code, std::move(inputs));
  try {
    Machine(*book_, *this).Run(state);
    future->markCompleted(code.outputs() == 1 ? state.stack.back() : c10::ivalue::Tuple::create(state.stack));
  } catch (const std::exception& error) {
    future->setError(
        std::make_exception_ptr(c10::ivalue::Future::FutureError(TraceOf(CallStackOf(state), error))));
  }
  stack.emplace_back(std::move(future));
}

void RealEffects::Wait(Stack& stack) {
  const c10::intrusive_ptr<c10::ivalue::Future> future = stack.back().toFuture();
  future->wait();
  stack.back() = future->value();
}

/// The awaitable may outlive the program, so it has all that it needs.
void RealEffects::MakeAwaitable(const std::shared_ptr<const Code>& code, Stack& stack, size_t arguments) {
  auto await = c10::make_intrusive<c10::ivalue::Await>(code->return_type());
  await->setArgs(Stack(stack.end() - static_cast<ptrdiff_t>(arguments), stack.end()));
  await->setFn([&inputs = await->args(), code] {
    CodeBook book;
    RealEffects effects(book);
    State state = State::AtEntry(*code, inputs);
    try {
      Machine(book, effects).Run(state);
    } catch (const std::exception& error) {
      LeaveWithError(state, CallStackOf(state), error);
    }
    return code->outputs() == 1 ? state.stack.back() : c10::ivalue::Tuple::create(state.stack);
  });
  torch::jit::drop(stack, arguments);
  stack.emplace_back(std::move(await));
}

void RealEffects::Raise(const Stack& stack) {
  const c10::IValue& message = stack[stack.size() - 2];
  throw torch::jit::JITException(message.toStringRef(), stack.back().toOptional<std::string>());
}

void RealEffects::Warn(const Instruction& instruction, Stack& stack) {
  const bool is_new = instruction.operand == -1 || warned_.insert(instruction.operand).second;
  const torch::jit::SourceRange range = instruction.node->sourceRange();
  const std::shared_ptr<torch::jit::Source>& source = range.source();
  if (!source->filename()) {
    const std::string message = torch::jit::pop(stack).toStringRef();
    if (is_new) {
      TORCH_WARN(message);
    }
    return;
  }
  torch::jit::drop(stack, 1);
  const std::string message = torch::jit::pop(stack).toStringRef();
  const size_t line = source->starting_line_no() + source->lineno_for_offset(range.start());
  const c10::SourceLocation location{"", source->filename()->c_str(), static_cast<uint32_t>(line)};
  if (is_new) c10::warn(c10::Warning(c10::Warning::UserWarning(), location, message, /*verbatim=*/true));
}

}  // namespace culprit::capture::vm
