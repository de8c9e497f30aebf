// SPDX-License-Identifier: Apache-2.0
//
// Writes a repro as users of its compiler would write it, and tries that (check/query/in_python.h).
#pragma once

#include "backend/backend.h"
#include "tasks/read_task.h"

namespace culprit::tasks {

/// All of it is empty where the compiler has no other way to be called.
base::Result<backend::PlainProgram> WriteInPlainCalls(const LoadRequest& request, open::Notes& notes);
inline constexpr TypedTask<LoadRequest, backend::PlainProgram> kPlainTask = {"plain"};

}  // namespace culprit::tasks
