// SPDX-License-Identifier: Apache-2.0
//
// Tables for people.
#pragma once

#include <string>
#include <vector>

namespace culprit::cli {

using TableRow = std::vector<std::string>;

/// Each column as wide as its widest cell. The first column is a number; text up to `text_columns` stands to
/// the left, the rest are numbers, to the right.
std::string AlignTable(const std::vector<TableRow>& rows, size_t text_columns);

}  // namespace culprit::cli
