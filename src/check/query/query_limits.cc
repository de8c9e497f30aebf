// SPDX-License-Identifier: Apache-2.0
#include "check/query/query_limits.h"

#include <unistd.h>

#include <algorithm>

namespace culprit::check {

isolate::Limits QueryLimits() {
  isolate::Limits limits;
  limits.growth = {kTimesEagersTime, kTimesEagersMemory, MostMemoryOfAQuery()};
  return limits;
}

uint64_t MostMemoryOfAQuery() {
  const uint64_t machine =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return std::max(isolate::Limits{}.memory_bytes, machine / 4 * 3);
}

}  // namespace culprit::check
