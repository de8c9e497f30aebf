// SPDX-License-Identifier: Apache-2.0
#include "base/printable_lines.h"

#include "base/text.h"

namespace culprit::base {

std::string PrintableLines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += "  " + Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string LinesBelow(std::string_view text) {
  std::string lines = "\n" + PrintableLines(text);
  while (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace culprit::base
