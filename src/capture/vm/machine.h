// SPDX-License-Identifier: Apache-2.0
//
// Takes a program from one state to the next. All instructions of unoptimised code are here; GUARD,
// TYPECHECK, FAIL_GUARD, PROFILE_OP and TAIL_CALL occur only in code that libtorch's executors made: they are
// our own error.
#pragma once

#include "capture/vm/effects.h"
#include "capture/vm/state.h"

namespace culprit::capture::vm {

class Machine {
 public:
  Machine(CodeBook& book, Effects& effects) : book_(&book), effects_(&effects) {}

  /// One instruction. Throws what the effects throw, and what libtorch's interpreter throws on broken values;
  /// then the state is as it was.
  void Step(State& state) const;
  /// Until the outermost function has returned. What passes through as an exception leaves the state where it
  /// came from.
  void Run(State& state) const;

 private:
  void Call(State& state, torch::jit::Function& function) const;
  void Exit(State& state) const;

  CodeBook* book_;
  Effects* effects_;
};

}  // namespace culprit::capture::vm
