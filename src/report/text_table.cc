// SPDX-License-Identifier: Apache-2.0
#include "report/text_table.h"

#include <algorithm>

#include "base/utf8.h"

namespace culprit::report {
namespace {

constexpr size_t kGap = 2;

std::vector<size_t> WidthsOf(const std::vector<TableRow>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const TableRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::CountColumns(row[i]));
  }
  return widths;
}

/// The columns of each part.
std::vector<std::vector<size_t>> PartsOf(const std::vector<size_t>& widths, size_t names, size_t columns) {
  std::vector<size_t> beginning;
  size_t beginning_width = 0;
  for (size_t i = 0; i < names; ++i) {
    beginning.push_back(i);
    beginning_width += widths[i] + kGap;
  }
  std::vector<std::vector<size_t>> parts = {beginning};
  size_t width = beginning_width;
  for (size_t i = names; i < widths.size(); ++i) {
    const bool is_full = columns > 0 && width + widths[i] > columns && parts.back().size() > names;
    if (is_full) {
      parts.push_back(beginning);
      width = beginning_width;
    }
    parts.back().push_back(i);
    width += widths[i] + kGap;
  }
  return parts;
}

}  // namespace

std::string AlignTable(const std::vector<TableRow>& rows, const TableLayout& layout, size_t columns) {
  const std::vector<size_t> widths = WidthsOf(rows);
  std::string text;
  for (const std::vector<size_t>& part : PartsOf(widths, layout.names, columns)) {
    if (!text.empty()) text += '\n';
    for (const TableRow& row : rows) {
      for (const size_t i : part) {
        const std::string blanks(widths[i] - base::CountColumns(row[i]), ' ');
        const bool to_the_left = i >= layout.text_begin && i < layout.text_end;
        text += (i > 0 ? std::string(kGap, ' ') : "") + (to_the_left ? row[i] + blanks : blanks + row[i]);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      text += '\n';
    }
  }
  return text;
}

}  // namespace culprit::report
