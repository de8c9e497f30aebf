// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "repro/repro.h"

namespace culprit::check {

/// Python code that compiles the repro with the compiler that it names (repro/python_text.h); nothing if
/// Python cannot call that compiler, or not with the bugs that were put into it. Plug-ins are not even
/// loaded.
std::optional<std::string> CompiledInPython(const repro::Repro& repro);

}  // namespace culprit::check
