// SPDX-License-Identifier: Apache-2.0
#include "isolate/output_excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit::isolate {

void OutputExcerpt::Append(std::string_view text) {
  total_bytes_ += text.size();
  const size_t to_beginning = std::min<size_t>(text.size(), half_ - beginning_.size());
  beginning_ += text.substr(0, to_beginning);
  text.remove_prefix(to_beginning);
  text.remove_prefix(text.size() - std::min<size_t>(text.size(), half_));
  end_ += text;
  if (end_.size() > 2 * half_) end_.erase(0, end_.size() - half_);
}

std::string OutputExcerpt::Text() const {
  const std::string_view end =
      std::string_view(end_).substr(end_.size() - std::min<size_t>(end_.size(), half_));
  const uint64_t skipped_bytes = total_bytes_ - beginning_.size() - end.size();
  if (skipped_bytes == 0) return beginning_ + std::string(end);
  return fmt::format("{}\n[{} left out]\n{}", beginning_, base::Counted(skipped_bytes, "byte"), end);
}

}  // namespace culprit::isolate
