// SPDX-License-Identifier: Apache-2.0
#include "explain/explain_segment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "capture/breaks/breaks.h"
#include "capture/segment/segment_text.h"

namespace culprit::explain {
namespace {

using capture::Segment;

size_t CountOf(const Segment& segment, graph::PlaceholderKind kind) {
  return static_cast<size_t>(
      std::ranges::count(segment.graph.placeholders(), kind, &graph::Placeholder::kind));
}

/// A constant of the code, or a part of one.
bool IsAboutConstant(const capture::GuardSource& source, const std::vector<capture::Guard>& guards) {
  using enum capture::SourceKind;
  if (source.kind == kElement || source.kind == kValue || source.kind == kItem)
    return IsAboutConstant(guards[source.base].source, guards);
  return source.kind == kConstant;
}

bool IsAboutModule(const capture::Guard& guard, const Segment& segment) {
  return guard.source.kind == capture::SourceKind::kAttribute ||
         std::holds_alternative<capture::ObjectOf>(guard.expected) ||
         IsAboutConstant(guard.source, segment.guards);
}

ExplainedBreak ExplainBreak(const capture::Break& end) {
  const capture::BreakDescription& description = capture::DescriptionOf(end.kind);
  const capture::OriginText origin = capture::TextOf(end.origin);
  return {.code = std::string(description.code),
          .name = std::string(description.name),
          .reason = base::Printable(end.reason),
          .hint = std::string(description.hint),
          .file = origin.file,
          .line = static_cast<uint32_t>(origin.line),
          .function = origin.function,
          .source = base::Printable(origin.code)};
}

}  // namespace

ExplainedSegment ExplainSegment(const Segment& segment) {
  ExplainedSegment told{.name = segment.name,
                        .operators = segment.graph.nodes().size(),
                        .inputs = CountOf(segment, graph::PlaceholderKind::kInput),
                        .parameters = CountOf(segment, graph::PlaceholderKind::kParameter),
                        .buffers = CountOf(segment, graph::PlaceholderKind::kBuffer),
                        .outputs = segment.graph.outputs().size(),
                        .modes = segment.modes.Describe(),
                        .conditions = capture::ConditionsOf(segment),
                        .fixed_sizes = segment.fixed_sizes,
                        .fallbacks = segment.fallbacks,
                        .inlined_calls = segment.inlined_calls,
                        .capture_seconds = segment.capture_seconds,
                        .compile_seconds = segment.compile_seconds,
                        .guard_seconds = segment.guard_seconds};
  if (segment.end) told.end = ExplainBreak(*segment.end);
  for (const capture::Guard& guard : segment.guards)
    told.guards.push_back({capture::DescribeGuard(guard, segment), IsAboutModule(guard, segment)});
  for (const capture::SizeCondition& condition : segment.conditions)
    told.size_conditions.push_back(capture::DescribeCondition(condition));
  for (const capture::SymbolSource& place : segment.symbol_sources)
    told.symbols[fmt::format("s{}", place.symbol)].push_back(
        base::Printable(capture::NameOf(place, segment)));
  return told;
}

}  // namespace culprit::explain
