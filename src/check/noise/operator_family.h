// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace culprit::check {

/// What an operator does, in place or not: "aten::relu_" => "relu".
constexpr std::string_view FamilyOf(std::string_view op) {
  if (const size_t colons = op.rfind("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  if (op.size() > 1 && op.ends_with('_')) op.remove_suffix(1);
  return op;
}

}  // namespace culprit::check
