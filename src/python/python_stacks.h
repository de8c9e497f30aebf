// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::python {

/// The stacks of all threads as Python sees them, the innermost call first; as faulthandler prints them.
/// Without the lock of the interpreter: whoever hangs may hold it. Empty if this Python cannot do that.
std::string StacksOfPython();

}  // namespace culprit::python
