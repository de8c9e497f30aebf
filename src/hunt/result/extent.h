// SPDX-License-Identifier: Apache-2.0
//
// How large a program is, for people. What a search goes by is minify/order/size.h.
#pragma once

#include <cstdint>

#include "minify/program/program.h"

namespace culprit::hunt {

struct Extent {
  size_t operators = 0;
  /// Placeholders and tensor constants.
  size_t inputs = 0;
  size_t outputs = 0;
  /// Of the inputs, and the bytes of these.
  int64_t elements = 0;
  int64_t bytes = 0;
};

Extent ExtentOf(const minify::Program& program);

}  // namespace culprit::hunt
