// SPDX-License-Identifier: Apache-2.0
//
// Tables for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/wrap.h"

namespace culprit::report {

using TableRow = std::vector<std::string>;

struct TableLayout {
  /// Columns from `begin` to before `end` are text, to the left; the others are numbers, to the right.
  size_t text_begin = 0;
  size_t text_end = 0;
  /// So many columns at the beginning say what a row is about.
  size_t names = 1;
};

/// Each column is as wide as its widest cell. A table that is too wide is shown in parts, one below the
/// other, each with the names.
std::string AlignTable(const std::vector<TableRow>& rows, const TableLayout& layout,
                       size_t columns = Columns());

}  // namespace culprit::report
