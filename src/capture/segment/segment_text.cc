// SPDX-License-Identifier: Apache-2.0
#include "capture/segment/segment_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::capture {

graph::Graph WithModelLines(const Segment& segment) {
  graph::Graph graph = segment.graph;
  OriginText next;
  for (size_t i = segment.origins.size(); i-- > 0;) {
    OriginText text = TextOf(segment.origins[i]);
    // Tensors that a trace makes of sizes have no line; they are for an operator that follows.
    if (text.line == 0 && next.line != 0) text = next;
    graph.SetModelLine(graph::NodeId(i), std::make_shared<std::string>(base::Printable(text.ToString())));
    next = std::move(text);
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
