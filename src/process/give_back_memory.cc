// SPDX-License-Identifier: Apache-2.0
#include "process/give_back_memory.h"

#include <malloc.h>

#include <cstddef>

namespace culprit::process {
namespace {

/// What is less takes longer to be filled again than it is worth.
constexpr size_t kMuch = size_t{256} << 20;

}  // namespace

void GiveBackMemory() {
  if (mallinfo2().fordblks > kMuch) malloc_trim(0);
}

}  // namespace culprit::process
