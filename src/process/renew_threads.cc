// SPDX-License-Identifier: Apache-2.0
#include "process/renew_threads.h"

#include <ATen/Parallel.h>

namespace culprit::process {

void RenewThreads() {
  const int threads = at::get_num_threads();
  // The pool is made anew only if its size changes.
  at::set_num_threads(threads == 1 ? 2 : 1);
  at::set_num_threads(threads);
}

}  // namespace culprit::process
