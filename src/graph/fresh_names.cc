// SPDX-License-Identifier: Apache-2.0
#include "graph/fresh_names.h"

#include <fmt/format.h>

namespace culprit::graph {

FreshNames::FreshNames(const Graph& graph) {
  for (const Value& value : graph.values()) taken_.insert(value.name);
}

std::string FreshNames::Derive(const std::string& name) {
  for (size_t number = 1;; ++number) {
    const auto [place, is_new] = taken_.insert(fmt::format("{}_{}", name, number));
    if (is_new) return *place;
  }
}

}  // namespace culprit::graph
