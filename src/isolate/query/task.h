// SPDX-License-Identifier: Apache-2.0
//
// What children can be asked to do: a table that is known before the zygote starts, so that a child has the
// code and a request names it.
#pragma once

#include <chrono>
#include <string_view>

#include "isolate/wire/message.h"

namespace culprit::isolate {

struct Task {
  std::string_view name;
  /// Runs in the child. What it returns is `Returned`, what it throws an Exception or a NonstandardThrow.
  Message (*run)(const Message& request);
};

/// Called by a task: what it does next, such as "compile" or "call 2". However the query ends, its outcome
/// names the phase that was announced last. Costs no system call; outside of a child it does nothing.
void AnnouncePhase(std::string_view phase);

/// Called by a task when something is done that shows how much its request takes by nature, and has taken so
/// long: limits may grow by it (limits.h). The first time counts. Outside of a child it does nothing.
void AnnounceYardstick(std::chrono::nanoseconds took);

}  // namespace culprit::isolate
