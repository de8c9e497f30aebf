// SPDX-License-Identifier: Apache-2.0
//
// A loop whose iterations go several at a time: as a vector, and as several of them that do not wait for each
// other.
//
//   blocks of 64 rounds
//     rounds of `copies` steps
//   single steps                  what is left of the last round
//   the rest                      fewer than a step, by mask
#pragma once

#include "compiler/codegen/nest/expressions.h"

namespace culprit::compiler::codegen {

struct Range {
  llvm::Value* from = nullptr;
  llvm::Value* to = nullptr;
  /// A power of 2; with more than 1 the rest is masked.
  int64_t step = 1;
  /// There is no rest, whatever `to` is.
  bool is_whole = false;
  /// A power of 2.
  unsigned copies = 1;
  /// After each block; null if there are none.
  std::function<void()> end_block = nullptr;
};

/// How many rounds make a block.
constexpr int64_t kBlock = 64;

/// `iteration(first, copy)`: the iterations from `first` on.
void WriteRange(Expressions& expressions, const Range& range,
                llvm::function_ref<void(llvm::Value*, unsigned)> iteration);

}  // namespace culprit::compiler::codegen
