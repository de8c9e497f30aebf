// SPDX-License-Identifier: Apache-2.0
//
// What instructions do beyond registers, stack and jumps. A program that runs as it is written has them done
// for real (real_effects.h); capture records them, or asks to stop in front of the instruction by throwing.
//
// What asks to stop leaves the stack as it was.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include "capture/vm/code.h"

namespace culprit::capture::vm {

using ObjectPtr = c10::intrusive_ptr<c10::ivalue::Object>;

class Effects {
 public:
  virtual ~Effects() = default;

  /// An instruction is about to look at a value of a register or the stack.
  virtual void Look(c10::IValue& /*value*/) {}
  /// The number behind this one, of an iteration that nobody counts.
  virtual c10::IValue Next(const c10::IValue& number) { return number.toInt() + 1; }
  /// Whether a counted loop goes on is decided by these.
  virtual void Compare(const c10::IValue& /*iteration*/, const c10::IValue& /*maximum*/) {}
  /// A constant of the code is read.
  virtual c10::IValue ReadConstant(const Code& code, size_t index) { return code.constants()[index]; }
  /// The arguments are on the stack; for one that takes any number of them, `count` of them and nothing else.
  virtual void CallOperator(const Instruction& instruction, torch::jit::Stack& stack) = 0;
  virtual c10::IValue GetAttribute(const ObjectPtr& object, size_t slot) = 0;
  virtual void SetAttribute(const ObjectPtr& object, size_t slot, c10::IValue value) = 0;
  virtual ObjectPtr CreateObject(const c10::ClassTypePtr& type) = 0;
  /// Before a function of the program is entered.
  virtual void EnterFunction(torch::jit::Function& /*function*/) {}
  /// A function that is not written in TorchScript.
  virtual void CallNative(torch::jit::Function& function, torch::jit::Stack& stack) = 0;
  /// The call of a function that is to run on its own; its arguments become a future.
  virtual void Fork(const Code& code, torch::jit::Stack& stack, size_t arguments) = 0;
  virtual void Wait(torch::jit::Stack& stack) = 0;
  /// The call of a function that runs when its result is first wanted; its arguments become an awaitable.
  virtual void MakeAwaitable(const std::shared_ptr<const Code>& code, torch::jit::Stack& stack,
                             size_t arguments) = 0;
  /// The message and the class of the exception, or None, are on the stack.
  virtual void Raise(const torch::jit::Stack& stack) = 0;
  /// The message is on the stack, and the stack level if the source has a file name.
  virtual void Warn(const Instruction& instruction, torch::jit::Stack& stack) = 0;
};

}  // namespace culprit::capture::vm
