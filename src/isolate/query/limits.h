// SPDX-License-Identifier: Apache-2.0
//
// What one query may use. The caller's thread watches: it looks every few milliseconds and has the child
// killed, which no child can catch, delay or mistake for an error of its own. Limits of the kernel were the
// alternative, and each is wrong here:
//
//   RLIMIT_AS, RLIMIT_DATA   count addresses, of which libtorch maps most of a gigabyte without using them;
//                            and the child would see allocations fail, so that running out of memory would be
//                            whatever exception or crash the compiler makes of that
//   RLIMIT_CPU               counts whole seconds, over the life of a warm worker
//   cgroups                  need rights that users and containers do not have
#pragma once

#include <chrono>
#include <cstdint>

namespace culprit::isolate {

/// What becomes of limits when a task says how much its request takes by nature (AnnounceYardstick in
/// task.h): so many times the yardstick is allowed too, where that is more. With 0 a limit stays as it is.
struct Growth {
  /// As many times as long, counted from when it was announced.
  int time = 0;
  /// As many times the memory that the child had used at most until then.
  int memory = 0;
  uint64_t most_memory_bytes = UINT64_MAX;
};

struct Limits {
  std::chrono::nanoseconds wall_time = std::chrono::seconds(60);
  /// Of all threads of the child together.
  std::chrono::nanoseconds cpu_time = std::chrono::nanoseconds::max();
  /// How much memory the child may touch beyond what it was forked with; attachments of the request, which it
  /// shares with the caller, are free.
  uint64_t memory_bytes = uint64_t{8} << 30;
  /// How much of what the child prints is kept: the first and the last half of it. The rest is counted.
  uint64_t output_bytes = 64 << 10;
  Growth growth = {};
};

}  // namespace culprit::isolate
