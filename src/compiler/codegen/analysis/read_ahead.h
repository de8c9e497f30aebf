// SPDX-License-Identifier: Apache-2.0
//
// Memory that a kernel goes through from one end to the other is asked for some way ahead, what it will write
// as well as what it will read. The processor does that by itself, but stops at the end of each page, and has
// few places for lines that are on their way.
#pragma once

#include <vector>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

enum class ReadAheadDistance : uint8_t {
  /// It is not asked for.
  kNone,
  /// ReadAhead::kBytes.
  kPage,
  /// The next row's, so that it comes while there is something to compute.
  kRow,
};

class ReadAhead {
 public:
  explicit ReadAhead(const loops::Kernel& kernel);

  /// How far ahead a stage asks for what it loads, or will store, at the place of this index. One stage asks,
  /// if several go there.
  ReadAheadDistance OfLoad(size_t stage, uint32_t buffer, loops::ExprId place) const;
  ReadAheadDistance OfStore(size_t stage, const loops::BufferStore& store) const;

  static constexpr int64_t kBytes = 4096;

 private:
  /// Of what goes through a row, or through pieces one behind the other.
  ReadAheadDistance Along(size_t stage) const;
  bool IsFar(uint32_t buffer, loops::ExprId place) const;

  const loops::Kernel& kernel_;
  /// By expression: how many places it can have, if it is one.
  std::vector<double> places_;
  std::optional<size_t> stage_of_rows_;
};

}  // namespace culprit::compiler::codegen
