// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/ignored_marks.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::capture {
namespace {

using Mark = std::pair<std::string, size_t>;

/// Empty if it is a size or a number.
std::string WhyNone(const ExpectedValue& expected, const Mark& mark) {
  const auto& [name, dimension] = mark;
  if (const auto* like = std::get_if<TensorLike>(&expected)) {
    if (dimension < like->sizes.size()) return "";
    return fmt::format("{}.size({}) is marked, but {} has {} dimensions", name, dimension, name,
                       like->sizes.size());
  }
  if (std::holds_alternative<NumberSymbol>(expected)) return "";
  const auto* constant = std::get_if<Constant>(&expected);
  if (constant == nullptr || !constant->value.isInt())
    return fmt::format("{} is marked, but is neither a tensor nor a whole number", name);
  const int64_t number = constant->value.toInt();
  if (dimension > 0) return fmt::format("{} is marked in dimension {}, but is a number", name, dimension);
  if (number <= kLargestNumber) return "";
  return fmt::format("{} is fixed to {}: numbers above {} are no sizes", name, number, kLargestNumber);
}

/// Of what a list or dict holds, everything is looked at.
bool IsPartOfNone(const Segment& segment, const std::string& name) {
  const size_t bracket = name.rfind('[');
  if (bracket == std::string::npos) return false;
  const std::string whole = name.substr(0, bracket);
  return std::ranges::any_of(segment.guards, [&](const Guard& guard) {
    return guard.source.name == whole && !std::holds_alternative<SameAs>(guard.expected);
  });
}

}  // namespace

std::vector<std::string> IgnoredMarks(const Segment& segment, const SizeMarks& marks) {
  std::vector<std::string> ignored;
  for (const auto* all : {&marks.dynamic, &marks.fixed}) {
    for (const Mark& mark : *all) {
      const auto guard = std::ranges::find_if(
          segment.guards, [&](const Guard& each) { return each.source.name == mark.first; });
      if (guard == segment.guards.end()) {
        if (IsPartOfNone(segment, mark.first))
          ignored.push_back(fmt::format("{} is marked, but there is no such value", mark.first));
      } else if (std::string why = WhyNone(guard->expected, mark); !why.empty()) {
        ignored.push_back(std::move(why));
      }
    }
  }
  return ignored;
}

}  // namespace culprit::capture
