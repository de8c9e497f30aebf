// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/text_table.h"
#include "compare/verdict.h"
#include "graph/text/literal.h"

namespace culprit::cli {
namespace {

using check::CheckStatus;
using compare::Output;
using compare::Verdict;

std::string Text(double number) {
  return fmt::format("{:.3g}", number);
}

std::string Text(const c10::complex<double>& number) {
  if (number.imag() == 0) return fmt::format("{:.9g}", number.real());
  return fmt::format("{:.9g}{:+.9g}j", number.real(), number.imag());
}

std::string NoiseText(const compare::Noise& noise) {
  return std::isfinite(noise.factor) ? fmt::format("{:.2g}x", noise.factor) : "inf";
}

TableRow MakeRow(size_t index, const Output& output) {
  return {std::to_string(index),
          output.path,
          std::string(graph::text::NameOf(output.dtype)),
          fmt::format("[{}]", fmt::join(output.sizes, ", ")),
          output.passes ? "ok" : "OFF",
          std::string(NameOf(output.rule)),
          Text(output.max_abs),
          output.detail ? Text(output.detail->max_rel) : "-",
          output.detail ? std::to_string(output.detail->max_ulp) : "-",
          Text(output.rmse),
          std::to_string(output.mismatching),
          fmt::format("{}/{}", output.reference.nan, output.result.nan),
          fmt::format("{}/{}", output.reference.inf, output.result.inf),
          output.smallest_tolerance ? Text(*output.smallest_tolerance) : "-",
          output.noise ? NoiseText(*output.noise) : "-"};
}

// The element that is furthest off, for outputs that fail.
std::string WorstOf(const Output& output, std::string_view where) {
  if (output.passes || !output.detail || !output.detail->worst) return "";
  const compare::WorstElement& worst = *output.detail->worst;
  return fmt::format("  {}[{}] is {}, and {} {}\n", output.path, fmt::join(worst.index, ", "),
                     Text(worst.result), Text(worst.reference), where);
}

// Inputs are compared since a graph may write into them; most do not. A list is one input with many tensors.
bool IsInputAmong(const std::set<std::string>& inputs, const Output& output) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
    return output.path == input || output.path.starts_with(input + "[");
  });
}

// An input is one input, however many calls get it.
size_t CountInputs(const std::set<std::string>& names) {
  std::set<std::string> inputs;
  for (const std::string& name : names) inputs.insert(name.substr(name.find("inputs[")));
  return inputs.size();
}

/// "calls[1]" of "calls[1].outputs[0]"; empty where there is one call only.
std::string CallOf(const std::string& path) {
  return path.starts_with("calls[") ? path.substr(0, path.find(']') + 1) : "";
}

/// Calls get the same inputs and mostly give the same: the first that is off is worth showing, or the last if
/// none is.
std::string ShownCall(const Verdict& verdict) {
  std::string first;
  const auto consider = [&](const std::string& path) {
    if (first.empty() || CallOf(path) < first) first = CallOf(path);
  };
  for (const compare::Mismatch& mismatch : verdict.mismatches) consider(mismatch.path);
  for (const Output& output : verdict.outputs) {
    if (!output.passes) consider(output.path);
  }
  if (!first.empty() || verdict.outputs.empty()) return first;
  return CallOf(verdict.outputs.back().path);
}

std::string_view NameOf(Against against) {
  return against == Against::kFp64 ? "float64" : "eager";
}

std::string Conclusion(const Judgement& judgement) {
  const Verdict& verdict = judgement.check.verdict;
  const auto failing = std::count_if(verdict.outputs.begin(), verdict.outputs.end(),
                                     [](const Output& output) { return !output.passes; });
  const std::string count = base::Counted(static_cast<size_t>(failing) + verdict.mismatches.size(), "value");
  switch (judgement.check.status) {
    case CheckStatus::kSame:
      return fmt::format("The numbers agree with {}.\n", NameOf(judgement.against));
    case CheckStatus::kReferenceUnstable:
      return fmt::format("{} not the same in two runs of the graph, which cannot be judged.\n", count);
    default:
      return fmt::format("{} off.\n", count);
  }
}

}  // namespace

std::string VerdictAsTable(const Judgement& judgement) {
  constexpr TextColumns kTextColumns = {1, 6};
  const auto& [status, message, failure, verdict, warnings, unwritten] = judgement.check;
  const std::string where = status == CheckStatus::kReferenceUnstable
                                ? "in another run"
                                : fmt::format("in {}", NameOf(judgement.against));
  std::vector<TableRow> rows = {{"", "output", "dtype", "sizes", "", "rule", "max abs", "max rel", "ulp",
                                 "RMSE", "off", "NaN", "Inf", "tolerance", "noise"}};
  const std::string shown = ShownCall(verdict);
  std::string lines;
  for (const Output& output : verdict.outputs) {
    if (output.passes && IsInputAmong(unwritten, output)) continue;
    if (!output.path.starts_with(shown)) continue;
    rows.push_back(MakeRow(rows.size() - 1, output));
    lines += WorstOf(output, where);
  }
  for (const compare::Mismatch& mismatch : verdict.mismatches) {
    if (!mismatch.path.starts_with(shown)) continue;
    lines += fmt::format("  {}: {}: {}\n", mismatch.path, NameOf(mismatch.kind), mismatch.message);
  }
  if (!shown.empty()) lines += "  the other calls are left out\n";
  if (!unwritten.empty())
    lines += fmt::format("  {} untouched\n", base::Counted(CountInputs(unwritten), "input"));
  if (judgement.rounding) {
    lines += fmt::format("  the tolerance is {}, since the graph computes in {}\n", judgement.tolerance,
                         graph::text::NameOf(judgement.rounding->dtype));
  }
  for (const std::string& warning : warnings) lines += fmt::format("  {}\n", warning);
  return AlignTable(rows, kTextColumns) + lines + Conclusion(judgement);
}

}  // namespace culprit::cli
