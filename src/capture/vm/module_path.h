// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capture/vm/state.h"

namespace culprit::capture::vm {

/// The module whose method the program is in, as the model names it: "features.4.block.2". Empty in the model
/// itself and in functions that it calls, and where a module was not reached by attributes alone.
std::string ModulePathOf(const State& state);

}  // namespace culprit::capture::vm
