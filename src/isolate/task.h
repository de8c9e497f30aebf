// SPDX-License-Identifier: Apache-2.0
//
// What children can be asked to do: a table that is known before the zygote starts, so that a child has the
// code and a request names it.
#pragma once

#include <string_view>

#include "isolate/message.h"

namespace culprit::isolate {

struct Task {
  std::string_view name;
  /// Runs in the child. What it returns is a Result, what it throws an Exception or a NonstandardThrow.
  Message (*run)(const Message& request);
};

/// Called by a task: what it does next, such as "compile" or "call 2". However the query ends, its outcome
/// names the phase that was announced last. Costs no system call; outside of a child it does nothing.
void AnnouncePhase(std::string_view phase);

}  // namespace culprit::isolate
