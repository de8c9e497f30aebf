// SPDX-License-Identifier: Apache-2.0
//
// How an exception leaves a program: `with` blocks are closed, and the text tells where in the program it
// came from, both as libtorch's interpreter does it, so that nobody who catches it sees a difference.
#pragma once

#include <exception>
#include <string>

#include "capture/vm/state.h"

namespace culprit::capture::vm {

/// The message of the exception under the lines of the program that led to it.
std::string TraceOf(const State& state, const std::exception& error);

/// Closes the blocks that are open and throws what libtorch would throw. To be called while `error` is
/// caught.
[[noreturn]] void LeaveWithError(State& state, const std::exception& error);

}  // namespace culprit::capture::vm
