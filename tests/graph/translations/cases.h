// SPDX-License-Identifier: Apache-2.0
//
// What the translations have to compute, as pairs of texts: the statements of a forward that call a
// translated operator, and statements that say the same with operators that libtorch has. Both get equal
// inputs and have to return equal tensors (numbers, types, sizes; None equals None).
#pragma once

#include <string_view>

namespace culprit::graph::text {

struct TranslationCase {
  /// A test name: letters and digits.
  std::string_view name;
  /// "x f32 2 3; i i64<5 4; m b8 2 3": normal numbers, ints from 0 below 5, bools; "positive" for |x| + 0.5.
  std::string_view inputs;
  std::string_view translated;
  std::string_view reference;
  /// Largest absolute difference; 0 for equal bits.
  double tolerance = 0.0;
  /// Is read with ReadOptions::for_cpu.
  bool for_cpu = false;
};

}  // namespace culprit::graph::text
