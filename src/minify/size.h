// SPDX-License-Identifier: Apache-2.0
//
// What is smaller? The first difference decides, so a program with one operator less is smaller whatever else
// it has.
#pragma once

#include <compare>
#include <cstdint>

#include "minify/program.h"

namespace culprit::minify {

struct Size {
  /// Views and casts are counted below: a reshape in the place of a convolution is progress.
  size_t operators = 0;
  size_t adapters = 0;
  size_t outputs = 0;
  size_t inputs = 0;
  int64_t elements = 0;
  auto operator<=>(const Size&) const = default;
};

Size SizeOf(const Program& program);

}  // namespace culprit::minify
