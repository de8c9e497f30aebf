// SPDX-License-Identifier: Apache-2.0
//
// The life of a child: it takes requests from its socket, runs them and answers, until somebody kills it. One
// that serves a single query and one that stays warm differ only in what the caller does with them.
#pragma once

#include <span>

#include "isolate/query/task.h"
#include "isolate/wire/descriptor.h"

namespace culprit::isolate {

/// Everything that belongs to the child alone.
struct ChildEnds {
  Descriptor socket;
  Descriptor black_box;
  Descriptor output;
};

/// `zygote` is the process that must live for this one to live.
[[noreturn]] void ServeRequests(std::span<const Task> tasks, ChildEnds ends, pid_t zygote);

}  // namespace culprit::isolate
