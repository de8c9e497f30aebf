// SPDX-License-Identifier: Apache-2.0
//
// What another process uses at the moment; nothing if it has ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace culprit::isolate {

/// In all threads since its start.
std::optional<std::chrono::nanoseconds> CpuTimeOf(pid_t pid);

/// Bytes of memory that are not the contents of files, swapped out or not. After a fork they count on both
/// sides. Pages of libraries are not among them: they come and go as they are used.
std::optional<uint64_t> MemoryOf(pid_t pid);

}  // namespace culprit::isolate
