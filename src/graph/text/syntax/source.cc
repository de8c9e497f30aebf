// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/source.h"

#include <algorithm>

#include "base/utf8.h"

namespace culprit::graph::text {

size_t Source::LineIndexAt(size_t offset) const {
  if (line_begins_.empty()) {
    line_begins_.push_back(0);
    for (size_t at = text_.find('\n'); at != std::string_view::npos; at = text_.find('\n', at + 1))
      line_begins_.push_back(at + 1);
  }
  return std::upper_bound(line_begins_.begin(), line_begins_.end(), offset) - line_begins_.begin() - 1;
}

uint32_t Source::LineAt(size_t offset) const {
  return static_cast<uint32_t>(LineIndexAt(std::min(offset, text_.size())) + 1);
}

base::Place Source::PlaceAt(size_t offset) const {
  offset = std::min(offset, text_.size());
  const size_t line = LineIndexAt(offset);
  const size_t begin = line_begins_[line];
  const size_t column = base::CountCharacters(text_.substr(begin, offset - begin));
  return {file_, static_cast<uint32_t>(line + 1), static_cast<uint32_t>(column + 1)};
}

base::Diagnostic Source::Error(size_t offset, std::string message) const {
  offset = std::min(offset, text_.size());
  const size_t begin = line_begins_[LineIndexAt(offset)];
  const size_t end = std::min(text_.find('\n', offset), text_.size());
  return {PlaceAt(offset), std::move(message), std::string(text_.substr(begin, end - begin))};
}

}  // namespace culprit::graph::text
