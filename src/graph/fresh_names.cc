// SPDX-License-Identifier: Apache-2.0
#include "graph/fresh_names.h"

#include <fmt/format.h>

namespace culprit::graph {

std::string FreshNames::Derive(const std::string& name) {
  if (taken_.empty()) {
    for (const Value& value : graph_.values()) taken_.insert(value.name);
  }
  for (size_t& number = numbers_[name];;) {
    const auto [place, is_new] = taken_.insert(fmt::format("{}_{}", name, ++number));
    if (is_new) return *place;
  }
}

}  // namespace culprit::graph
