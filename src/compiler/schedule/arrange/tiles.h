// SPDX-License-Identifier: Apache-2.0
//
// What is written along one variable and read along another, as in a transposition, is read from another line
// of memory with every element. Before the next element of a line is wanted, the line has left the cache,
// unless few others were read in between:
//
//   i0 < 1024, i1 < 1024: y[i0 * 1024 + i1] = x[i1 * 1024 + i0]
//
//   =>  i0 < 32, i1 < 128; for i2 < 32, i3 < 8:
//         y[i0 * 32768 + i2 * 1024 + i1 * 8 + i3] = x[i1 * 8192 + i3 * 1024 + i0 * 32 + i2]
#pragma once

#include <vector>

#include "compiler/schedule/arrange/loop_order.h"

namespace culprit::compiler::schedule {

/// An outer variable that goes by tiles: outer loops go from tile to tile, and the stage goes through the
/// iterations of each.
struct Tile {
  /// The last of LoopOrder::Merged.
  uint32_t variable = 0;
  /// Divides how far it goes.
  int64_t size = 0;
};

/// Two, that of the lanes last; none if the kernel is better off without.
std::vector<Tile> ChooseTiles(const loops::Kernel& kernel, const LoopOrder& order, const Accesses& accesses);

}  // namespace culprit::compiler::schedule
