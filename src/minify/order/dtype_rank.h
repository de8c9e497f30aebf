// SPDX-License-Identifier: Apache-2.0
//
// Which dtypes are simpler: float32 < float64 < the short ones, int32 < int64, complex as its parts.
#pragma once

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "graph/ir/graph.h"

namespace culprit::minify {

/// A dtype with the one that can take its place and is simpler.
struct SimplerDtype {
  at::ScalarType from;
  at::ScalarType to;
  size_t rank;
};

constexpr SimplerDtype kSimplerDtypes[] = {{at::kHalf, at::kFloat, 2},
                                           {at::kBFloat16, at::kFloat, 2},
                                           {at::kDouble, at::kFloat, 1},
                                           {at::kComplexDouble, at::kComplexFloat, 1},
                                           {at::kLong, at::kInt, 1}};

/// Null if there is no simpler one.
constexpr const SimplerDtype* FindSimplerDtype(at::ScalarType dtype) {
  const auto* const found = std::ranges::find(kSimplerDtypes, dtype, &SimplerDtype::from);
  return found == std::end(kSimplerDtypes) ? nullptr : found;
}

constexpr size_t DtypeRank(at::ScalarType dtype) {
  const SimplerDtype* const simpler = FindSimplerDtype(dtype);
  return simpler == nullptr ? 0 : simpler->rank;
}

/// The dtype that an argument of a call is; nothing if it is none, or None.
inline std::optional<at::ScalarType> DtypeArgument(const graph::Node& node, size_t argument) {
  const graph::Argument& written = node.arguments[argument];
  const bool is_dtype = node.op->slots()[argument].kind == graph::SlotKind::kDtype && written.is_constant() &&
                        written.constant().isInt();
  return is_dtype ? std::optional(static_cast<at::ScalarType>(written.constant().toInt())) : std::nullopt;
}

}  // namespace culprit::minify
