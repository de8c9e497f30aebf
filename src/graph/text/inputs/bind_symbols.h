// SPDX-License-Identifier: Apache-2.0
//
// Sizes that load_args writes with symbols which the file defines nowhere.
//
//   reader.symint(7, expr='s0')                 s0 = 7
//   reader.symint(5)                            a value for the first symbol that nobody defines
//   buf0 = reader.storage(None, 4*s1)           s1 = 5
//
// If there are more such symbols than symint lines, the bytes of the storages come first
// (graph/text/inputs/storage_equation.h): what they determine is solved, then one symbol gets the next value
// of a symint line, and so on until nothing changes. A solved symbol uses up a line that has its value.
//
// A size without backing (u0, u1 ...) had no value when the file was written: it depends on data. One that
// is unknown to the end is made up.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {

/// Values that the file does not give by name ("s1 = 5"), for errors to name.
struct GuessedSymbols {
  std::vector<std::string> from_symints;
  std::vector<std::string> from_bytes;
  /// Sizes without backing.
  std::vector<std::string> made_up;

  /// One sentence for each of the three that is not empty.
  std::vector<std::string> Notes() const;
};

/// Adds to `symbols`. Symbols that stay unknown are one error.
base::Result<GuessedSymbols> BindSymbols(const Source& source, const ExpressionArena& arena,
                                         const std::vector<Statement>& statements, Symbols& symbols);

}  // namespace culprit::graph::text
