// SPDX-License-Identifier: Apache-2.0
#include "cli/show/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "capture/breaks/breaks.h"
#include "report/wrap.h"

namespace culprit::cli {
namespace {

using base::Counted;
using explain::ExplainedHalf;
using explain::ExplainedJoint;
using explain::ExplainedSegment;
using explain::Explanation;
using nlohmann::ordered_json;

std::string BreakText(const explain::ExplainedBreak& end) {
  return fmt::format(
      "  break {}: {} ({})\n"
      "    {}:{} in {}\n"
      "      {}\n"
      "    hint: {}\n",
      end.code, end.name, end.reason, end.file, end.line, end.function, end.source, end.hint);
}

std::string GuardsText(const ExplainedSegment& segment, const ExplanationOptions& options) {
  std::string text = fmt::format("  holds if {}", segment.modes);
  size_t not_shown = 0;
  for (const explain::ExplainedGuard& guard : segment.guards) {
    if (!options.guards && guard.is_about_module) {
      ++not_shown;
      continue;
    }
    text += "\n    and " + guard.text;
  }
  for (const std::string& condition : segment.size_conditions) text += "\n    and " + condition;
  if (not_shown > 0) text += fmt::format("\n    and {} about the module (--guards shows them)", not_shown);
  return text + "\n";
}

/// "3 operators, 1 input, 2 parameters, 2 outputs"
std::string ExtentText(const ExplainedSegment& segment) {
  std::string text =
      fmt::format("{}, {}", Counted(segment.operators, "operator"), Counted(segment.inputs, "input"));
  if (segment.parameters > 0) text += ", " + Counted(segment.parameters, "parameter");
  if (segment.buffers > 0) text += ", " + Counted(segment.buffers, "buffer");
  return text + ", " + Counted(segment.outputs, "output");
}

std::string FallbacksText(const std::map<std::string, int64_t>& fallbacks) {
  std::string text;
  for (const auto& [op, count] : fallbacks)
    text += fmt::format("  {} has no rule for tensors without memory; computed on zeros {}\n", op,
                        Counted(static_cast<size_t>(count), "time"));
  return text;
}

std::string SegmentText(const ExplainedSegment& segment, size_t number, const ExplanationOptions& options) {
  std::string text = segment.is_graph()
                         ? fmt::format("graph {}: {}, {}", number, segment.name, ExtentText(segment))
                         : "no graph: no tensor is computed here";
  text +=
      fmt::format("; captured in {:.1f} ms\n", segment.capture_seconds * 1e3) + GuardsText(segment, options);
  for (const std::string& fixed : segment.fixed_sizes) text += "  " + base::Printable(fixed) + "\n";
  text += FallbacksText(segment.fallbacks);
  text += segment.end ? BreakText(*segment.end) : "  ends with the program\n";
  return text;
}

std::string HalfText(std::string_view what, const ExplainedHalf& half) {
  return fmt::format("\n{} {}: {}, {}, {}\n{}", what, half.name, Counted(half.operators, "operator"),
                     Counted(half.inputs, "input"), Counted(half.outputs, "output"), half.code);
}

std::string JointText(const ExplainedJoint& joint) {
  if (!joint.reason.empty()) return fmt::format("\nno joint graph of {}: {}\n", joint.name, joint.reason);
  std::string text = fmt::format("\njoint graph of {}: {}, traced and split in {:.1f} ms\n", joint.name,
                                 Counted(joint.operators, "operator"), joint.seconds * 1e3) +
                     FallbacksText(joint.fallbacks);
  text += HalfText(joint.backward ? "forward" : "inference", joint.forward);
  if (!joint.backward) return text + "\nno output has a gradient, so there is no backward graph\n";
  return text + HalfText("backward", *joint.backward) + "\n" + joint.partition;
}

ordered_json JointAsJson(const ExplainedJoint& joint) {
  if (!joint.reason.empty()) return {{"name", joint.name}, {"reason", joint.reason}};
  ordered_json saved = ordered_json::array();
  for (const explain::ExplainedSaved& value : joint.saved)
    saved.push_back({{"name", value.name}, {"why", value.why}, {"bytes", value.bytes}});
  return {{"name", joint.name},
          {"forward_operators", joint.forward.operators},
          {"backward_operators", joint.backward ? joint.backward->operators : 0},
          {"tangents", joint.tangents},
          {"saved", saved},
          {"saved_bytes", joint.saved_bytes},
          {"fallbacks", joint.fallbacks},
          {"milliseconds", joint.seconds * 1e3}};
}

/// These are shown with their graphs.
std::vector<std::string> LogWithoutFixedSizes(const Explanation& told) {
  std::vector<std::string> log = told.log;
  for (const ExplainedSegment& segment : told.segments) {
    std::erase_if(log,
                  [&](const std::string& line) { return std::ranges::count(segment.fixed_sizes, line) > 0; });
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

Totals TotalsOf(const Explanation& told) {
  Totals totals;
  for (const ExplainedSegment& segment : told.segments) {
    if (segment.is_graph()) ++totals.graphs;
    totals.operators += segment.operators;
    totals.inlined_calls += segment.inlined_calls;
    for (const auto& [op, count] : segment.fallbacks) totals.fallbacks += static_cast<size_t>(count);
    if (!segment.end) continue;
    ++totals.breaks;
    ++totals.breaks_by_code[segment.end->code];
  }
  return totals;
}

ordered_json BreakAsJson(const explain::ExplainedBreak& end) {
  return {{"code", end.code}, {"name", end.name}, {"reason", end.reason},     {"hint", end.hint},
          {"file", end.file}, {"line", end.line}, {"function", end.function}, {"source", end.source}};
}

ordered_json SegmentAsJson(const ExplainedSegment& segment) {
  return {{"name", segment.name},
          {"operators", segment.operators},
          {"inputs", segment.inputs},
          {"parameters", segment.parameters},
          {"buffers", segment.buffers},
          {"outputs", segment.outputs},
          {"break", segment.end ? BreakAsJson(*segment.end) : ordered_json()},
          {"guards", segment.conditions},
          {"symbols", segment.symbols},
          {"size_conditions", segment.size_conditions},
          {"fixed_sizes", segment.fixed_sizes},
          {"fallbacks", segment.fallbacks},
          {"capture_ms", segment.capture_seconds * 1e3},
          {"compile_ms", segment.compile_seconds * 1e3},
          {"guard_us", segment.guard_seconds * 1e6}};
}

}  // namespace

std::string ExplanationAsText(const Explanation& told, const ExplanationOptions& options) {
  const Totals totals = TotalsOf(told);
  std::string text =
      fmt::format("{}.{}: {}, {}, {}\n", told.name, told.method, Counted(totals.graphs, "graph"),
                  Counted(totals.operators, "operator"), Counted(totals.breaks, "break"));
  size_t number = 0;
  for (const ExplainedSegment& segment : told.segments) {
    if (segment.is_graph()) ++number;
    text += "\n" + SegmentText(segment, number, options);
  }
  for (const ExplainedJoint& joint : told.joints) text += JointText(joint);
  const std::vector<std::string> log = LogWithoutFixedSizes(told);
  for (const std::string& line : log) text += "\n" + base::Printable(line);
  if (!log.empty()) text += "\n";
  for (const std::string& file : told.files) text += "written: " + file + "\n";
  return report::Wrapped(text);
}

ordered_json ExplanationAsJson(const Explanation& told) {
  const Totals totals = TotalsOf(told);
  ordered_json graphs = ordered_json::array();
  for (const ExplainedSegment& segment : told.segments) graphs.push_back(SegmentAsJson(segment));
  ordered_json joints = ordered_json::array();
  for (const ExplainedJoint& joint : told.joints) joints.push_back(JointAsJson(joint));
  return {{"model", told.name},
          {"method", told.method},
          {"counters",
           {{"graphs", totals.graphs},
            {"operators", totals.operators},
            {"breaks", totals.breaks_by_code},
            {"inlined_calls", totals.inlined_calls},
            {"recaptures", told.recaptures},
            {"as_written", told.as_written},
            {"fallbacks", totals.fallbacks}}},
          {"graphs", graphs},
          {"joints", joints},
          {"files", told.files},
          {"log", told.log},
          {"failure", told.failure ? ordered_json(told.failure->message) : ordered_json()}};
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
