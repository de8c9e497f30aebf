// SPDX-License-Identifier: Apache-2.0
#include "graph/text/source.h"

#include <algorithm>

namespace culprit::graph::text {

base::Place Source::PlaceAt(size_t offset) const {
  const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
  const auto line = static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 == 0
  return {file_, line, static_cast<uint32_t>(before.size() - line_begin + 1)};
}

base::Diagnostic Source::Error(size_t offset, std::string message) const {
  offset = std::min(offset, text_.size());
  const size_t begin = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;
  const size_t end = std::min(text_.find('\n', offset), text_.size());
  return {PlaceAt(offset), std::move(message), std::string(text_.substr(begin, end - begin))};
}

}  // namespace culprit::graph::text
