// SPDX-License-Identifier: Apache-2.0
//
// A source text and the places in it. Everything that reads a script speaks of byte offsets; lines and
// columns are counted only when a message needs them.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace culprit::graph::text {

class Source {
 public:
  Source(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  std::string_view text() const { return text_; }
  const std::string& file() const { return file_; }

  base::Place PlaceAt(size_t offset) const;
  /// A diagnostic that points at `offset` and shows its line.
  base::Diagnostic Error(size_t offset, std::string message) const;

 private:
  std::string file_;
  std::string_view text_;
};

}  // namespace culprit::graph::text
