// SPDX-License-Identifier: Apache-2.0
#include "report/output_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "report/json_number.h"
#include "report/text_table.h"

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;
using Row = TableRow;
using check::Distance;
using check::Number;
using check::OutputSummary;

// Text are name, type and sizes.
constexpr TableLayout kLayout = {.text_begin = 1, .text_end = 4, .names = 2};

std::string NumberText(const Number& number) {
  const auto* whole = std::get_if<int64_t>(&number);
  return whole != nullptr ? std::to_string(*whole) : fmt::format("{:.5g}", std::get<double>(number));
}

Row MakeRow(size_t index, const OutputSummary& summary) {
  Row row = {std::to_string(index), summary.name, summary.type,
             fmt::format("[{}]", fmt::join(summary.sizes, ", "))};
  if (summary.range) {
    row.insert(row.end(), {NumberText(summary.range->minimum), NumberText(summary.range->maximum),
                           NumberText(summary.range->mean)});
  } else {
    row.insert(row.end(), 3, "-");
  }
  row.push_back(std::to_string(summary.nans));
  row.push_back(std::to_string(summary.infinities));
  return row;
}

void AddDistance(const std::optional<Distance>& distance, Row& row) {
  row.push_back(distance ? fmt::format("{:.3g}", distance->max_abs) : "-");
  row.push_back(distance ? fmt::format("{:.3g}", distance->max_rel) : "-");
}

Json JsonNumber(const Number& number) {
  const auto* whole = std::get_if<int64_t>(&number);
  return whole != nullptr ? Json(*whole) : report::JsonNumber(std::get<double>(number));
}

}  // namespace

std::string OutputsAsTable(const check::EagerRun& run) {
  std::vector<Row> rows = {{"", "output", "dtype", "sizes", "min", "max", "mean", "NaN", "Inf"}};
  if (!run.distances.empty()) rows.front().insert(rows.front().end(), {"max abs", "max rel"});
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    rows.push_back(MakeRow(i, run.outputs[i]));
    if (!run.distances.empty()) AddDistance(run.distances[i], rows.back());
  }
  return AlignTable(rows, kLayout);
}

Json OutputsAsJson(const check::EagerRun& run) {
  Json rows = Json::array();
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    const OutputSummary& summary = run.outputs[i];
    Json json = {{"output", summary.name},
                 {"dtype", summary.type},
                 {"sizes", summary.sizes},
                 {"nan", summary.nans},
                 {"inf", summary.infinities}};
    if (summary.range) {
      json["min"] = JsonNumber(summary.range->minimum);
      json["max"] = JsonNumber(summary.range->maximum);
      json["mean"] = JsonNumber(summary.range->mean);
    }
    if (!run.distances.empty() && run.distances[i]) {
      json["max_abs"] = JsonNumber(run.distances[i]->max_abs);
      json["max_rel"] = JsonNumber(run.distances[i]->max_rel);
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

}  // namespace culprit::report
