// SPDX-License-Identifier: Apache-2.0
//
// What a value of a graph can be. Sizes are values too: integers computed from the sizes of tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/operators/slot.h"

namespace culprit::graph {

enum class ValueKind : uint8_t {
  kTensor,
  kTensorList,  // of a length known only at run time, as split returns it
  kInt,
  kIntList,
  kFloat,
  kBool,
  kNumber,  // what item() returns: int, float or bool, known only at run time
  kGenerator,
};

/// "Tensor", "Tensor[]", "int" ...
std::string_view ToString(ValueKind kind);
std::optional<ValueKind> ValueKindFromString(std::string_view text);

/// What an operator's result becomes; nothing if a graph cannot hold it.
std::optional<ValueKind> KindOfResult(const Slot& slot);

}  // namespace culprit::graph
