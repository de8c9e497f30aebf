// SPDX-License-Identifier: Apache-2.0
#include "cli/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "capture/segment/segment_text.h"
#include "cli/wrap.h"

namespace culprit::cli {
namespace {

using base::Counted;
using capture::Segment;
using nlohmann::ordered_json;

size_t CountOf(const Segment& segment, graph::PlaceholderKind kind) {
  return static_cast<size_t>(
      std::ranges::count(segment.graph.placeholders(), kind, &graph::Placeholder::kind));
}

/// A stretch of the program without operators is no graph.
bool IsGraph(const Segment& segment) {
  return !segment.graph.nodes().empty();
}

/// A constant of the code, or a part of one.
bool IsAboutConstant(const capture::Source& source, const std::vector<capture::Guard>& guards) {
  using enum capture::SourceKind;
  if (source.kind == kElement || source.kind == kValue || source.kind == kItem)
    return IsAboutConstant(guards[source.base].source, guards);
  return source.kind == kConstant;
}

/// Those about modules and their code are many, and mostly what everybody expects.
bool IsAboutModule(const capture::Guard& guard, const Segment& segment) {
  return guard.source.kind == capture::SourceKind::kAttribute ||
         std::holds_alternative<capture::ObjectOf>(guard.expected) ||
         IsAboutConstant(guard.source, segment.guards);
}

std::string BreakText(const capture::Break& end) {
  const capture::BreakDescription& description = capture::DescriptionOf(end.kind);
  const capture::OriginText origin = capture::TextOf(end.origin);
  return fmt::format(
      "  break {}: {} ({})\n"
      "    {}:{} in {}\n"
      "      {}\n"
      "    hint: {}\n",
      description.code, description.name, base::Printable(end.reason), origin.file, origin.line,
      origin.function, base::Printable(origin.code), description.hint);
}

std::string GuardsText(const Segment& segment, const ExplanationOptions& options) {
  std::string text = fmt::format("  holds if {}", segment.modes.Describe());
  size_t left_out = 0;
  for (const capture::Guard& guard : segment.guards) {
    if (!options.guards && IsAboutModule(guard, segment)) {
      ++left_out;
      continue;
    }
    text += "\n    and " + capture::DescribeGuard(guard, segment);
  }
  for (const capture::SizeCondition& condition : segment.conditions)
    text += "\n    and " + capture::DescribeCondition(condition);
  if (left_out > 0) text += fmt::format("\n    and {} about the module (--guards shows them)", left_out);
  return text + "\n";
}

/// "3 operators, 1 input, 2 parameters, 2 outputs"
std::string ExtentText(const Segment& segment) {
  const size_t parameters = CountOf(segment, graph::PlaceholderKind::kParameter);
  const size_t buffers = CountOf(segment, graph::PlaceholderKind::kBuffer);
  std::string text = fmt::format("{}, {}", Counted(segment.graph.nodes().size(), "operator"),
                                 Counted(CountOf(segment, graph::PlaceholderKind::kInput), "input"));
  if (parameters > 0) text += ", " + Counted(parameters, "parameter");
  if (buffers > 0) text += ", " + Counted(buffers, "buffer");
  return text + ", " + Counted(segment.graph.outputs().size(), "output");
}

std::string SegmentText(const Segment& segment, size_t number, const ExplanationOptions& options) {
  std::string text = IsGraph(segment)
                         ? fmt::format("graph {}: {}, {}", number, segment.name, ExtentText(segment))
                         : "no graph: no tensor is computed here";
  text +=
      fmt::format("; captured in {:.1f} ms\n", segment.capture_seconds * 1e3) + GuardsText(segment, options);
  for (const std::string& fixed : segment.fixed_sizes) text += "  " + base::Printable(fixed) + "\n";
  for (const auto& [op, count] : segment.fallbacks)
    text += fmt::format("  {} has no rule for tensors without memory; computed on zeros {}\n", op,
                        Counted(static_cast<size_t>(count), "time"));
  text += segment.end ? BreakText(*segment.end) : "  ends with the program\n";
  return text;
}

/// These are shown with their graphs.
std::vector<std::string> LogWithoutFixedSizes(const CapturedModel& model) {
  std::vector<std::string> log = model.log;
  for (const auto& segment : model.segments) {
    std::erase_if(
        log, [&](const std::string& line) { return std::ranges::count(segment->fixed_sizes, line) > 0; });
  }
  return log;
}

struct Totals {
  size_t graphs = 0;
  size_t operators = 0;
  size_t breaks = 0;
  size_t inlined_calls = 0;
  size_t fallbacks = 0;
  std::map<std::string, size_t> breaks_by_code;
};

Totals TotalsOf(const CapturedModel& model) {
  Totals totals;
  for (const auto& segment : model.segments) {
    if (IsGraph(*segment)) ++totals.graphs;
    totals.operators += segment->graph.nodes().size();
    totals.inlined_calls += segment->inlined_calls;
    for (const auto& [op, count] : segment->fallbacks) totals.fallbacks += static_cast<size_t>(count);
    if (!segment->end) continue;
    ++totals.breaks;
    ++totals.breaks_by_code[std::string(capture::DescriptionOf(segment->end->kind).code)];
  }
  return totals;
}

ordered_json BreakAsJson(const capture::Break& end) {
  const capture::BreakDescription& description = capture::DescriptionOf(end.kind);
  const capture::OriginText origin = capture::TextOf(end.origin);
  return {{"code", description.code},
          {"name", description.name},
          {"reason", base::Printable(end.reason)},
          {"hint", description.hint},
          {"file", origin.file},
          {"line", origin.line},
          {"function", origin.function},
          {"source", base::Printable(origin.code)}};
}

/// What each symbol is: {"s0": ["x.size(0)", "y.size(0)"]}.
ordered_json SymbolsAsJson(const Segment& segment) {
  ordered_json symbols = ordered_json::object();
  for (const capture::SymbolSource& place : segment.symbol_sources)
    symbols[fmt::format("s{}", place.symbol)].push_back(base::Printable(capture::NameOf(place, segment)));
  return symbols;
}

std::vector<std::string> SizeConditions(const Segment& segment) {
  std::vector<std::string> conditions;
  for (const capture::SizeCondition& condition : segment.conditions)
    conditions.push_back(capture::DescribeCondition(condition));
  return conditions;
}

ordered_json SegmentAsJson(const Segment& segment) {
  return {{"name", segment.name},
          {"operators", segment.graph.nodes().size()},
          {"inputs", CountOf(segment, graph::PlaceholderKind::kInput)},
          {"parameters", CountOf(segment, graph::PlaceholderKind::kParameter)},
          {"buffers", CountOf(segment, graph::PlaceholderKind::kBuffer)},
          {"outputs", segment.graph.outputs().size()},
          {"break", segment.end ? BreakAsJson(*segment.end) : ordered_json()},
          {"guards", capture::ConditionsOf(segment)},
          {"symbols", SymbolsAsJson(segment)},
          {"size_conditions", SizeConditions(segment)},
          {"fixed_sizes", segment.fixed_sizes},
          {"fallbacks", segment.fallbacks},
          {"capture_ms", segment.capture_seconds * 1e3},
          {"compile_ms", segment.compile_seconds * 1e3},
          {"guard_us", segment.guard_seconds * 1e6}};
}

}  // namespace

std::string ExplanationAsText(const CapturedModel& model, const ExplanationOptions& options) {
  const Totals totals = TotalsOf(model);
  std::string text =
      fmt::format("{}.{}: {}, {}, {}\n", model.name, model.method, Counted(totals.graphs, "graph"),
                  Counted(totals.operators, "operator"), Counted(totals.breaks, "break"));
  size_t number = 0;
  for (const auto& segment : model.segments) {
    if (IsGraph(*segment)) ++number;
    text += "\n" + SegmentText(*segment, number, options);
  }
  for (const JointGraphs& joint : model.joints) text += JointAsText(joint);
  const std::vector<std::string> log = LogWithoutFixedSizes(model);
  for (const std::string& line : log) text += "\n" + base::Printable(line);
  if (!log.empty()) text += "\n";
  for (const std::string& file : model.files) text += "written: " + file + "\n";
  return Wrapped(text);
}

ordered_json ExplanationAsJson(const CapturedModel& model) {
  const Totals totals = TotalsOf(model);
  ordered_json graphs = ordered_json::array();
  for (const auto& segment : model.segments) graphs.push_back(SegmentAsJson(*segment));
  ordered_json joints = ordered_json::array();
  for (const JointGraphs& joint : model.joints) joints.push_back(JointAsJson(joint));
  return {{"model", model.name},
          {"method", model.method},
          {"counters",
           {{"graphs", totals.graphs},
            {"operators", totals.operators},
            {"breaks", totals.breaks_by_code},
            {"inlined_calls", totals.inlined_calls},
            {"recaptures", model.counters.recaptures},
            {"as_written", model.counters.as_written},
            {"fallbacks", totals.fallbacks}}},
          {"graphs", graphs},
          {"joints", joints},
          {"files", model.files},
          {"log", model.log},
          {"failure", model.failure ? ordered_json(model.failure->message) : ordered_json()}};
}

std::string BreaksAsMarkdown() {
  std::string text =
      "# Graph breaks\n\n"
      "Where a program cannot go into one graph, the graph ends in front of the instruction, the instruction "
      "runs as it is written, and another graph begins behind it. Results are the same; what is lost is "
      "what a compiler could have done across the break. `culprit explain MODEL` lists the breaks of a "
      "model.\n";
  for (const capture::BreakDescription& kind : capture::AllBreaks())
    text += fmt::format("\n## {}: {}\n\n{}\n\nWhat to do: {}\n", kind.code, kind.name, kind.explanation,
                        kind.hint);
  return text;
}

}  // namespace culprit::cli
