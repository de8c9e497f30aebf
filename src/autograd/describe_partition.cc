// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "autograd/partition.h"

namespace culprit::autograd {
namespace {

bool IsHeldAnyway(const SavedValue& value) {
  return value.why == "parameter" || value.why == "buffer";
}

}  // namespace

int64_t SavedBytes(const Partition& partition) {
  int64_t bytes = 0;
  for (const SavedValue& value : partition.saved) bytes += IsHeldAnyway(value) ? 0 : value.bytes;
  return bytes;
}

std::string Describe(const Partition& partition) {
  size_t width = 0;
  int64_t total = 0;
  for (const SavedValue& value : partition.saved) {
    width = std::max(width, value.name.size());
    total += value.bytes;
  }
  std::string text;
  for (const SavedValue& value : partition.saved) {
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:<12}  {:>12} bytes\n", value.name, width, value.why,
                   value.bytes);
  }
  const int64_t saved = SavedBytes(partition);
  fmt::format_to(std::back_inserter(text), "{} saved for backward: {} bytes", partition.saved.size(), saved);
  if (saved < total)
    fmt::format_to(std::back_inserter(text), ", and {} of parameters and buffers", total - saved);
  return text += '\n';
}

}  // namespace culprit::autograd
