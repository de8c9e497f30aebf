// SPDX-License-Identifier: Apache-2.0
#include "process/settings.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <malloc.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace culprit::process {
namespace {

int UsableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace

void ApplySettings() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  c10::SetStackTraceFetcher([] { return std::string(); });
  if (std::getenv("OMP_NUM_THREADS") == nullptr) at::set_num_threads(UsableProcessors());
}

}  // namespace culprit::process
