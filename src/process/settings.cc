// SPDX-License-Identifier: Apache-2.0
#include "process/settings.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <malloc.h>
#include <sched.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

// Debian's oneDNN ends the process with an illegal instruction when it multiplies BFloat16 with them.
bool HasTiles() {
#if defined(__x86_64__)
  constexpr unsigned kFeatures = 7;
  constexpr unsigned kAmxTile = 1U << 24U;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) != 0 && (d & kAmxTile) != 0;
#else
  return false;
#endif
}

}  // namespace

void ApplySettings() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  c10::SetStackTraceFetcher([] { return std::string(); });
  if (HasTiles()) setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  if (std::getenv("OMP_NUM_THREADS") == nullptr) at::set_num_threads(UsableProcessors());
}

}  // namespace culprit::process
