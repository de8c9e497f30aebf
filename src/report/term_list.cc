// SPDX-License-Identifier: Apache-2.0
#include "report/term_list.h"

#include <algorithm>

#include "base/utf8.h"

namespace culprit::report {
namespace {

constexpr size_t kWidestName = 32;
constexpr size_t kGap = 2;

}  // namespace

std::string TermList(const std::vector<Term>& terms, size_t indent, size_t columns) {
  size_t width = 0;
  for (const Term& term : terms) {
    const size_t own = base::CountColumns(term.name);
    if (own <= kWidestName) width = std::max(width, own);
  }
  const size_t column = indent + width + kGap;
  std::string text;
  for (const Term& term : terms) {
    const size_t own = base::CountColumns(term.name);
    text += std::string(indent, ' ') + term.name;
    const bool stands_beside = own <= kWidestName;
    if (!stands_beside) text += '\n';
    const size_t first = stands_beside ? indent + own : 0;
    if (!term.meaning.empty()) text += Filled(term.meaning, {column, column}, columns).substr(first);
    text += '\n';
  }
  return text;
}

}  // namespace culprit::report
