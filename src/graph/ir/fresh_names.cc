// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/fresh_names.h"

#include <fmt/format.h>

#include "graph/ir/verify.h"

namespace culprit::graph {

void FreshNames::LookOnce() {
  if (!taken_.empty()) return;
  for (const Value& value : graph_.values()) taken_.insert(value.name);
}

std::string FreshNames::Get(const std::string& name) {
  LookOnce();
  return IsValidName(name) && taken_.insert(name).second ? name : Derive(name);
}

std::string FreshNames::Derive(const std::string& name) {
  LookOnce();
  for (size_t& number = numbers_[name];;) {
    const auto [place, is_new] = taken_.insert(fmt::format("{}_{}", name, ++number));
    if (is_new) return *place;
  }
}

}  // namespace culprit::graph
