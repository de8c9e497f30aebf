// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "isolate/wire/shared_memory.h"

namespace culprit::cli {

struct SpawnedSelf {
  int status = 0;
  std::string out;
  std::string err;
};

/// Starts this program anew with these words, of which the first is its name, and waits for it; it dies with
/// this process. Only for commands that print little: their output is kept in memory. Without an input it has
/// ours. An error if it did not come to its end.
base::Result<SpawnedSelf> SpawnSelf(const std::vector<std::string>& words,
                                    const isolate::SharedMemory* input);

}  // namespace culprit::cli
