// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/text_table.h"
#include "graph/text/literal.h"

namespace culprit::cli {
namespace {

using compare::Output;
using compare::Verdict;

std::string Text(double number) {
  return fmt::format("{:.3g}", number);
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
          output.smallest_tolerance ? Text(*output.smallest_tolerance) : "-"};
}

// The element that is furthest off, for outputs that fail.
std::string WorstOf(const Output& output) {
  if (output.passes || !output.detail || !output.detail->worst) return "";
  const compare::WorstElement& worst = *output.detail->worst;
  return fmt::format("  {}[{}] is {:.9g}, and {:.9g} in float64\n", output.path, fmt::join(worst.index, ", "),
                     worst.result.real(), worst.reference.real());
}

// Inputs are compared since a graph may write into them; most do not.
bool IsUntouchedInput(const Output& output) {
  return output.path.starts_with("inputs[") && output.rule == compare::Rule::kEqual;
}

}  // namespace

std::string VerdictAsTable(const Verdict& verdict) {
  constexpr size_t kTextColumns = 6;
  std::vector<TableRow> rows = {{"", "output", "dtype", "sizes", "", "rule", "max abs", "max rel", "ulp",
                                 "RMSE", "off", "NaN", "tolerance"}};
  std::string worst;
  size_t untouched = 0;
  for (const Output& output : verdict.outputs) {
    if (IsUntouchedInput(output)) {
      ++untouched;
      continue;
    }
    rows.push_back(MakeRow(rows.size() - 1, output));
    worst += WorstOf(output);
  }
  std::string text = AlignTable(rows, kTextColumns) + worst;
  if (untouched > 0) text += fmt::format("  {} untouched\n", base::Counted(untouched, "input"));
  for (const compare::Mismatch& mismatch : verdict.mismatches)
    text += fmt::format("  {}: {}: {}\n", mismatch.path, NameOf(mismatch.kind), mismatch.message);
  const auto failing = std::count_if(verdict.outputs.begin(), verdict.outputs.end(),
                                     [](const Output& output) { return !output.passes; });
  if (verdict.passes()) return text + "The numbers agree with float64.\n";
  return text + fmt::format("{} off.\n",
                            base::Counted(static_cast<size_t>(failing) + verdict.mismatches.size(), "value"));
}

}  // namespace culprit::cli
