// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "bench/watched_program.h"

namespace culprit::bench {

struct FusedProgram {
  std::string_view name;
  /// How many tensors of a million elements it reads or writes.
  int moves = 0;
};

/// Programs whose time is spent in memory and in functions, not in products of matrices, on a million
/// elements each.
std::span<const FusedProgram> FusedPrograms();

ProgramCall FindFusedProgram(std::string_view name);

}  // namespace culprit::bench
