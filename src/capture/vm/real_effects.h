// SPDX-License-Identifier: Apache-2.0
//
// The effects of a program that runs as it is written, as libtorch's interpreter has them.
#pragma once

#include <set>

#include "capture/vm/effects.h"

namespace culprit::capture::vm {

/// One per call of a program: a warning is given once in each.
class RealEffects : public Effects {
 public:
  explicit RealEffects(CodeBook& book) : book_(&book) {}

  void CallOperator(const Instruction& instruction, torch::jit::Stack& stack) override;
  c10::IValue GetAttribute(const ObjectPtr& object, size_t slot) override { return object->getSlot(slot); }
  void SetAttribute(const ObjectPtr& object, size_t slot, c10::IValue value) override;
  ObjectPtr CreateObject(const c10::ClassTypePtr& type) override;
  void CallNative(torch::jit::Function& function, torch::jit::Stack& stack) override;
  /// At once and in this thread, which is one of the orders that the program allows.
  void Fork(const Code& code, torch::jit::Stack& stack, size_t arguments) override;
  void Wait(torch::jit::Stack& stack) override;
  void MakeAwaitable(const std::shared_ptr<const Code>& code, torch::jit::Stack& stack,
                     size_t arguments) override;
  [[noreturn]] void Raise(const torch::jit::Stack& stack) override;
  void Warn(const Instruction& instruction, torch::jit::Stack& stack) override;

 private:
  CodeBook* book_;
  std::set<int32_t> warned_;
};

}  // namespace culprit::capture::vm
