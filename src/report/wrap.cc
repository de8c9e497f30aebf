// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/utf8.h"

namespace culprit::report {
namespace {

constexpr size_t kDefaultColumns = 80;
constexpr size_t kFurtherIn = 4;
constexpr std::string_view kBlanks = " \n";

size_t EndOfWord(std::string_view text, bool follows_colon) {
  if (follows_colon && text.starts_with("culprit ")) return text.size();
  return std::min(text.find_first_of(kBlanks), text.size());
}

}  // namespace

size_t Columns() {
  const char* text = std::getenv("COLUMNS");
  size_t columns = kDefaultColumns;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), columns);
  return columns;
}

std::string Filled(std::string_view paragraph, Indents indents, size_t columns) {
  std::string text(indents.first, ' ');
  size_t column = indents.first;
  bool follows_colon = false;
  bool is_first = true;
  while (true) {
    const size_t gap = std::min(paragraph.find_first_not_of(kBlanks), paragraph.size());
    paragraph.remove_prefix(gap);
    if (paragraph.empty()) return text;
    const std::string_view word = paragraph.substr(0, EndOfWord(paragraph, follows_colon));
    const size_t width = base::CountColumns(word);
    if (!is_first && columns > 0 && column + gap + width > columns) {
      text += '\n' + std::string(indents.others, ' ');
      column = indents.others;
    } else if (!is_first) {
      text += std::string(gap, ' ');
      column += gap;
    }
    text += word;
    column += width;
    follows_colon = word.ends_with(':');
    is_first = false;
    paragraph.remove_prefix(word.size());
  }
}

std::string Wrapped(std::string_view text, size_t columns) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool fits = columns == 0 || base::CountColumns(line) <= columns;
    lines += fits ? std::string(line) : Filled(line.substr(indent), {indent, indent + kFurtherIn}, columns);
    if (end < text.size()) lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace culprit::report
