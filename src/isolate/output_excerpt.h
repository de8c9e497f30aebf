// SPDX-License-Identifier: Apache-2.0
//
// The beginning and the end of a text of any length, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace culprit::isolate {

class OutputExcerpt {
 public:
  explicit OutputExcerpt(uint64_t max_bytes) : half_(max_bytes / 2) {}

  void Append(std::string_view text);
  uint64_t total_bytes() const { return total_bytes_; }

  /// All, or "beginning\n[123 bytes left out]\nend".
  std::string Text() const;

 private:
  const uint64_t half_;
  uint64_t total_bytes_ = 0;
  std::string beginning_;
  /// At least the last `half_` bytes behind the beginning, at most twice as many.
  std::string end_;
};

}  // namespace culprit::isolate
