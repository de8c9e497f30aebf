// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "backend/backend.h"
#include "repro/repro.h"

namespace culprit::check {

/// Python code that compiles the repro with the compiler that it names (repro/python_text.h); nothing if
/// Python cannot call that compiler, or not with the bugs that were put into it. Plug-ins are not even
/// loaded.
std::optional<std::string> CompiledInPython(const repro::Repro& repro);

/// The repro as a user of its compiler would write it, tried (backend/backend.h); nothing if there is no such
/// program, or if its numbers are too many to be pasted. `path` is where the repro lies.
std::optional<backend::PlainProgram> InPlainCalls(const std::string& path, const repro::Repro& repro);

}  // namespace culprit::check
