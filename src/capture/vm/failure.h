// SPDX-License-Identifier: Apache-2.0
//
// How an exception leaves a program: `with` blocks are closed, and the text tells where in the program it
// came from, both as libtorch's interpreter does it, so that nobody who catches it sees a difference.
#pragma once

#include <torch/csrc/jit/frontend/source_range.h>

#include <exception>
#include <string>
#include <vector>

#include "capture/vm/state.h"

namespace culprit::capture::vm {

/// The lines of the program that have led to its next instruction, the outermost first.
using CallStack = std::vector<torch::jit::StackEntry>;
CallStack CallStackOf(const State& state);

/// The message of the exception under these lines.
std::string TraceOf(const CallStack& lines, const std::exception& error);

/// Leaves the `with` blocks that are open.
void CloseBlocks(const State& state);

/// Closes the blocks and throws what libtorch would throw. To be called while `error` is
/// caught.
[[noreturn]] void LeaveWithError(const State& state, const CallStack& lines, const std::exception& error);

}  // namespace culprit::capture::vm
