// SPDX-License-Identifier: Apache-2.0
#include "capture/segment_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::capture {

graph::Graph WithModelLines(const Segment& segment) {
  graph::Graph graph = segment.graph;
  for (size_t i = 0; i < segment.origins.size(); ++i) {
    const std::string line = base::Printable(TextOf(segment.origins[i]).ToString());
    graph.SetModelLine(graph::NodeId(i), std::make_shared<std::string>(line));
  }
  return graph;
}

std::string DescribeGuard(const Guard& guard, const Segment& segment) {
  return base::Printable(
      fmt::format("{} is {}", guard.source.name, Describe(guard.expected, segment.guards)));
}

std::string NameOf(const SymbolSource& place, const Segment& segment) {
  const std::string& name = segment.guards[Index(place.source)].source.name;
  if (place.kind == SymbolSource::Kind::kNumber) return name;
  return fmt::format("{}.{}({})", name, place.kind == SymbolSource::Kind::kSize ? "size" : "stride",
                     place.dimension);
}

std::string DescribeCondition(const SizeCondition& condition) {
  const OriginText origin = TextOf(condition.origin);
  return base::Printable(
      fmt::format("{}, from {}:{}", ToString(condition.condition), origin.file, origin.line));
}

std::vector<std::string> ConditionsOf(const Segment& segment) {
  std::vector<std::string> conditions = {segment.modes.Describe()};
  for (const Guard& guard : segment.guards) conditions.push_back(DescribeGuard(guard, segment));
  for (const SizeCondition& condition : segment.conditions)
    conditions.push_back(DescribeCondition(condition));
  return conditions;
}

}  // namespace culprit::capture
