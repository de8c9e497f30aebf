// SPDX-License-Identifier: Apache-2.0
#include "process/settings.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <string>

extern "C" int omp_get_max_threads(void);  // NOLINT: clang's <omp.h> is that of another runtime

namespace culprit::process {

void ApplySettings() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  c10::SetStackTraceFetcher([] { return std::string(); });
  at::set_num_threads(omp_get_max_threads());
}

}  // namespace culprit::process
