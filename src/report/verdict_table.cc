// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "compare/verdict/verdict.h"
#include "graph/text/syntax/literal.h"
#include "report/text_table.h"

namespace culprit::report {
namespace {

using check::CheckStatus;
using compare::Output;
using compare::Verdict;

/// Of many values that are off the first ones show what is wrong.
constexpr size_t kMostRows = 20;

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

std::string_view NameOf(check::Against against) {
  return against == check::Against::kFp64 ? "float64" : "eager";
}

std::string Conclusion(const check::Judgement& judgement) {
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

/// Which of the values are worth a row.
struct Selection {
  std::vector<const Output*> shown;
  /// Those that are off and not shown.
  size_t more_off = 0;
  size_t more_ok = 0;
};

/// A compiler's are expected to be ok, and only counted if they are; of a graph in float64 the distances are
/// what somebody wanted to see.
Selection Select(const check::Judgement& judgement, std::string_view call) {
  size_t off = 0;
  std::vector<const Output*> all;
  for (const Output& output : judgement.check.verdict.outputs) {
    if (!output.path.starts_with(call)) continue;
    if (output.passes && IsInputAmong(judgement.check.unwritten_inputs, output)) continue;
    all.push_back(&output);
    if (!output.passes) ++off;
  }
  size_t room_for_off = std::min(off, kMostRows);
  size_t room_for_ok = judgement.against == check::Against::kEager ? 0 : kMostRows - room_for_off;
  Selection selection;
  for (const Output* output : all) {
    size_t& room = output->passes ? room_for_ok : room_for_off;
    if (room > 0) {
      --room;
      selection.shown.push_back(output);
    } else {
      ++(output->passes ? selection.more_ok : selection.more_off);
    }
  }
  return selection;
}

/// "178 other values are ok"
std::string CountsOf(const Selection& selection) {
  const auto counted = [&](size_t count, std::string_view how) {
    if (count == 0) return std::string();
    const std::string_view other = selection.shown.empty() ? "" : "other ";
    return fmt::format("  {} {}{} {}\n", count, other, count == 1 ? "value is" : "values are", how);
  };
  return counted(selection.more_off, "off, too") + counted(selection.more_ok, "ok");
}

std::string MismatchesOf(const Verdict& verdict, std::string_view call) {
  std::string lines;
  size_t count = 0;
  for (const compare::Mismatch& mismatch : verdict.mismatches) {
    if (!mismatch.path.starts_with(call) || ++count > kMostRows) continue;
    lines += fmt::format("  {}: {}: {}\n", mismatch.path, NameOf(mismatch.kind), mismatch.message);
  }
  if (count > kMostRows) lines += fmt::format("  and {} more of this kind\n", count - kMostRows);
  return lines;
}

std::string RowsOf(const Selection& selection) {
  constexpr TableLayout kLayout = {.text_begin = 1, .text_end = 6, .names = 2};
  if (selection.shown.empty()) return "";
  std::vector<TableRow> rows = {{"", "output", "dtype", "sizes", "", "rule", "max abs", "max rel", "ulp",
                                 "RMSE", "off", "NaN", "Inf", "tolerance", "noise"}};
  for (const Output* output : selection.shown) rows.push_back(MakeRow(rows.size() - 1, *output));
  return AlignTable(rows, kLayout);
}

}  // namespace

std::string VerdictAsTable(const check::Judgement& judgement) {
  const auto& [status, message, help, failure, verdict, varies, warnings, unwritten] = judgement.check;
  const std::string where = status == CheckStatus::kReferenceUnstable
                                ? "in another run"
                                : fmt::format("in {}", NameOf(judgement.against));
  const std::string call = ShownCall(verdict);
  const Selection selection = Select(judgement, call);
  std::string lines;
  for (const Output* output : selection.shown) lines += WorstOf(*output, where);
  lines += MismatchesOf(verdict, call) + CountsOf(selection);
  if (!call.empty()) lines += "  the other calls are left out\n";
  if (!unwritten.empty())
    lines += fmt::format("  {} untouched\n", base::Counted(CountInputs(unwritten), "input"));
  if (judgement.rounding) {
    lines += fmt::format("  the tolerance is {}, since the graph computes in {}\n", judgement.tolerance,
                         graph::text::NameOf(judgement.rounding->dtype));
  }
  for (const std::string& warning : warnings) lines += fmt::format("  {}\n", warning);
  return RowsOf(selection) + Wrapped(lines) + Conclusion(judgement);
}

}  // namespace culprit::report
