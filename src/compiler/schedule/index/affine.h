// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "compiler/loops/body.h"

namespace culprit::compiler::schedule {

/// 12 * i0 + i2 + 5.
struct Affine {
  /// Of loop variables; none is 0.
  std::map<uint32_t, int64_t> coefficients = {};
  int64_t constant = 0;

  int64_t coefficient(uint32_t variable) const {
    const auto found = coefficients.find(variable);
    return found == coefficients.end() ? 0 : found->second;
  }
};

/// Nothing if it is more than that, or if one of the numbers needs more than 64 bits. A size counts as the
/// number it is, which `integer` of the expression says. The form itself wraps where the expression does.
std::optional<Affine> AffineOf(const loops::Body& body, loops::ExprId id);

/// Constants and sizes as a program keeps them: whether numbers that come from sizes may become arguments.
struct NumberWriter {
  bool symbolic = false;
  loops::ExprId operator()(loops::Body& body, int64_t number) const {
    return symbolic ? body.Size(number) : body.Constant(number, loops::Type::Long);
  }
};

/// The expression of an affine form.
loops::ExprId Emit(const Affine& affine, loops::Body& body, NumberWriter numbers);

}  // namespace culprit::compiler::schedule
