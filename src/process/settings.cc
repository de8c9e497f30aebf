// SPDX-License-Identifier: Apache-2.0
#include "process/settings.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <string>

extern "C" int omp_get_max_threads(void);  // NOLINT: clang's <omp.h> is that of another runtime

namespace culprit::process {
namespace {

/// What is larger is given back to the system at once. With blocks of hundreds of megabytes a heap has holes
/// that take more memory than the tensors, and fresh pages cost little beside the time to fill them.
constexpr int kHugeBlock = 128 << 20;

}  // namespace

void ApplySettings() {
  mallopt(M_MMAP_THRESHOLD, kHugeBlock);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  c10::SetStackTraceFetcher([] { return std::string(); });
  at::set_num_threads(omp_get_max_threads());
}

}  // namespace culprit::process
