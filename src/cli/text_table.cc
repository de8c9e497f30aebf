// SPDX-License-Identifier: Apache-2.0
#include "cli/text_table.h"

#include <algorithm>

#include "base/utf8.h"

namespace culprit::cli {

std::string AlignTable(const std::vector<TableRow>& rows, TextColumns text_columns) {
  std::vector<size_t> widths(rows.front().size());
  for (const TableRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::CountColumns(row[i]));
  }
  std::string text;
  for (const TableRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - base::CountColumns(row[i]), ' ');
      const bool to_the_left = i >= text_columns.begin && i < text_columns.end;
      text += (i > 0 ? "  " : "") + (to_the_left ? row[i] + blanks : blanks + row[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace culprit::cli
