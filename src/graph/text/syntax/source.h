// SPDX-License-Identifier: Apache-2.0
//
// A source text and the places in it. Everything that reads a script speaks of byte offsets; where lines
// begin is found out when the first message needs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace culprit::graph::text {

class Source {
 public:
  /// `for_cpu`: whatever device the text names, the CPU is meant.
  Source(std::string file, std::string_view text, bool for_cpu = false)
      : file_(std::move(file)), text_(text), for_cpu_(for_cpu) {}

  std::string_view text() const { return text_; }
  const std::string& file() const { return file_; }
  bool for_cpu() const { return for_cpu_; }

  /// From 1.
  uint32_t LineAt(size_t offset) const;
  base::Place PlaceAt(size_t offset) const;
  /// A diagnostic that points at `offset` and shows its line.
  base::Diagnostic Error(size_t offset, std::string message) const;

 private:
  /// The index of the line, from 0.
  size_t LineIndexAt(size_t offset) const;

  std::string file_;
  std::string_view text_;
  bool for_cpu_;
  // Offsets; empty until they are needed.
  mutable std::vector<size_t> line_begins_;
};

}  // namespace culprit::graph::text
