// SPDX-License-Identifier: Apache-2.0
//
// What the bytes of a storage say about a size that nobody defines. The tensors of a storage reach to its
// end, neither less far nor farther:
//
//   buf3 = reader.storage(None, 8192*s2)         s2 is 533
//   reader.tensor(buf3, (1, s3, 2048))           4*2048*s3 == 8192*533, so s3 is 533
#pragma once

#include <c10/core/ScalarType.h>

#include <optional>
#include <string_view>
#include <vector>

#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {

/// The sizes of a tensor as they are written.
struct WrittenTensor {
  ExpressionId sizes = 0;
  /// Missing if it is contiguous.
  std::optional<ExpressionId> strides;
  std::optional<ExpressionId> offset;
  at::ScalarType dtype = at::kFloat;
};

struct StorageEquation {
  ExpressionId bytes = 0;
  std::vector<WrittenTensor> tensors;
};

struct SolvedSymbol {
  std::string_view name;
  int64_t value = 0;
};

/// Solves for a symbol that is missing from `symbols`: by all tensors of the storage together, or else by one
/// of them. Nothing if no part of the equation lacks exactly one symbol, or if it holds for no value of that
/// symbol or for several. A size is at least 1. `symbols` are as they were afterwards.
std::optional<SolvedSymbol> Solve(const Source& source, const ExpressionArena& arena,
                                  const StorageEquation& equation, Symbols& symbols);

}  // namespace culprit::graph::text
