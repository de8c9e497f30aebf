// SPDX-License-Identifier: Apache-2.0
//
// Where a program is: the functions it is in, their registers, the values on the stack. A program can stop
// between any two instructions, be put down as a State, and go on.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <vector>

#include "capture/vm/code.h"

namespace culprit::capture::vm {

struct Frame {
  const Code* code = nullptr;
  /// Of the next instruction; in callers, the one behind the call.
  size_t pc = 0;
  std::vector<c10::IValue> registers;

  const Instruction& next() const { return code->instructions()[pc]; }
};

struct State {
  /// The outermost function first; none when it has returned.
  std::vector<Frame> frames;
  /// Arguments before a function takes them, temporaries, results in the end.
  torch::jit::Stack stack;
  /// The objects of the `with` blocks that are open.
  std::vector<c10::IValue> entered;

  static State AtEntry(const Code& code, torch::jit::Stack arguments);
  bool has_returned() const { return frames.empty(); }
};

}  // namespace culprit::capture::vm
