// SPDX-License-Identifier: Apache-2.0
//
// Writes a repro as users of its compiler would write it, and tries that (check/query/in_python.h).
#pragma once

#include <string>

#include "tasks/read_task.h"

namespace culprit::tasks {

struct PlainAnswer {
  /// Empty if there is no such program; then `said` has the reason, if there might be one.
  std::string text;
  bool fails_so = false;
  std::string said;
};

base::Result<PlainAnswer> WriteInPlainCalls(const LoadRequest& request, open::Notes& notes);
inline constexpr TypedTask<LoadRequest, PlainAnswer> kPlainTask = {"plain"};

}  // namespace culprit::tasks
