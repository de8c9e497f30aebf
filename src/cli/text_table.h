// SPDX-License-Identifier: Apache-2.0
//
// Tables for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace culprit::cli {

using TableRow = std::vector<std::string>;

/// Columns from `begin` to before `end`.
struct TextColumns {
  size_t begin = 0;
  size_t end = 0;
};

/// Each column as wide as its widest cell. Text stands to the left, the other columns are numbers, to the
/// right.
std::string AlignTable(const std::vector<TableRow>& rows, TextColumns text_columns);

}  // namespace culprit::cli
