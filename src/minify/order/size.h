// SPDX-License-Identifier: Apache-2.0
//
// What is smaller? The first difference decides, so a program with one operator less is smaller whatever else
// it has. All parts are natural numbers: there is no endless way down, and strategies cannot undo each other.
//
// The order is that of the strategies: what an early one wins may cost something further down (an operator
// that is replaced by a constant adds a constant; sliced tensors have less simple numbers), never the other
// way round.
#pragma once

#include <compare>
#include <cstdint>

#include "minify/program/program.h"

namespace culprit::minify {

struct Size {
  /// Views and casts are counted below: a reshape in the place of a convolution is progress.
  size_t operators = 0;
  size_t adapters = 0;
  /// simpler_operator.h, summed up.
  size_t operator_complexity = 0;
  size_t outputs = 0;
  /// Placeholders and constants.
  size_t inputs = 0;
  /// Those of them that are constants, parameters or buffers.
  size_t frozen = 0;
  /// Of all tensors that the program begins with.
  int64_t elements = 0;
  /// What else decides, in this order, is only found out if nothing above does: how complex attributes are
  /// (simplest_attribute.h), the ranks of dtypes (dtype_rank.h), and how simple the numbers are that the
  /// program begins with (fill.h), which means reading them all. The program has to outlive its size.
  const Program* program = nullptr;

  std::strong_ordering operator<=>(const Size& other) const;
  bool operator==(const Size& other) const { return std::is_eq(*this <=> other); }
};

Size SizeOf(const Program& program);
Size SizeOf(Program&& program) = delete;

}  // namespace culprit::minify
