// SPDX-License-Identifier: Apache-2.0
//
// Integer expressions over named sizes, as load_args writes them: 64, s0, 4*s0 + 1, (s0*s1)//2, Max(1, s0).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

using Symbols = std::map<std::string, int64_t, std::less<>>;

/// The value; an error with its place for an unknown symbol, a division by zero, an overflow.
base::Result<int64_t> EvaluateSize(const Source& source, const ExpressionArena& arena, ExpressionId id,
                                   const Symbols& symbols);

/// As EvaluateSize, of an expression that is the whole text; nothing if it has no value.
std::optional<int64_t> SizeFromText(std::string_view text, const Symbols& symbols);

/// Calls `visit(name)` for every symbol in the expression, in order of appearance.
void ForEachSymbol(const ExpressionArena& arena, ExpressionId id,
                   const std::function<void(std::string_view)>& visit);

}  // namespace culprit::graph::text
