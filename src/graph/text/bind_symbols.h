// SPDX-License-Identifier: Apache-2.0
//
// Sizes that load_args writes with symbols which the file defines nowhere.
//
//   reader.symint(7, expr='s0')                 s0 = 7
//   reader.symint(5)                            a value for the first symbol that nobody defines
//   buf0 = reader.storage(None, 4*s1)           s1 = 5
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/text/size_expression.h"
#include "graph/text/statement.h"

namespace culprit::graph::text {

/// Adds to `symbols`. Returns what was guessed from the order of appearance ("s1 = 5"), for errors to name.
base::Result<std::vector<std::string>> BindSymbols(const Source& source, const ExpressionArena& arena,
                                                   const std::vector<Statement>& statements,
                                                   Symbols& symbols);

}  // namespace culprit::graph::text
