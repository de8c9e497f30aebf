// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/line_difference.h"

#include <algorithm>

namespace culprit::hunt {
namespace {

using Lines = std::vector<std::string>;

struct Marked {
  char mark = ' ';
  const std::string* line = nullptr;
};

/// common[i][j] is how many lines first[i..] and second[j..] have in common.
std::vector<std::vector<size_t>> CommonLengths(const Lines& first, const Lines& second) {
  std::vector<std::vector<size_t>> common(first.size() + 1, std::vector<size_t>(second.size() + 1, 0));
  for (size_t i = first.size(); i-- > 0;) {
    for (size_t j = second.size(); j-- > 0;) {
      common[i][j] =
          first[i] == second[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

std::vector<Marked> Mark(const Lines& first, const Lines& second) {
  const auto common = CommonLengths(first, second);
  std::vector<Marked> marked;
  size_t i = 0;
  size_t j = 0;
  while (i < first.size() || j < second.size()) {
    if (i < first.size() && j < second.size() && first[i] == second[j]) {
      marked.push_back({' ', &first[i++]});
      ++j;
    } else if (j == second.size() || (i < first.size() && common[i + 1][j] >= common[i][j + 1])) {
      marked.push_back({'-', &first[i++]});
    } else {
      marked.push_back({'+', &second[j++]});
    }
  }
  return marked;
}

bool IsNearChange(const std::vector<Marked>& marked, size_t i) {
  const size_t begin = i == 0 ? 0 : i - 1;
  const size_t end = std::min(i + 2, marked.size());
  return std::any_of(marked.begin() + static_cast<std::ptrdiff_t>(begin),
                     marked.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Marked& line) { return line.mark != ' '; });
}

}  // namespace

LineDifference Difference(const Lines& first, const Lines& second) {
  const std::vector<Marked> marked = Mark(first, second);
  LineDifference difference;
  bool skips = false;
  for (size_t i = 0; i < marked.size(); ++i) {
    if (marked[i].mark != ' ') ++difference.changed;
    const bool says_nothing = marked[i].mark == ' ' && marked[i].line->empty();
    if (says_nothing || !IsNearChange(marked, i)) {
      skips = !difference.text.empty();
      continue;
    }
    if (skips) difference.text += "...\n";
    skips = false;
    difference.text += std::string(1, marked[i].mark) + *marked[i].line + "\n";
  }
  return difference;
}

}  // namespace culprit::hunt
