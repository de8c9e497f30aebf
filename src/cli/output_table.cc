// SPDX-License-Identifier: Apache-2.0
#include "cli/output_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/json_number.h"
#include "cli/output_summary.h"
#include "cli/text_table.h"

namespace culprit::cli {
namespace {

using Json = nlohmann::ordered_json;
using Row = TableRow;

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
  return whole != nullptr ? Json(*whole) : cli::JsonNumber(std::get<double>(number));
}

}  // namespace

std::string OutputsAsTable(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                           const Distances& distances) {
  std::vector<Row> rows = {{"", "output", "dtype", "sizes", "min", "max", "mean", "NaN", "Inf"}};
  if (!distances.empty()) rows.front().insert(rows.front().end(), {"max abs", "max rel"});
  for (size_t i = 0; i < outputs.size(); ++i) {
    rows.push_back(MakeRow(i, Summarise(graph, i, outputs[i])));
    if (!distances.empty()) AddDistance(distances[i], rows.back());
  }
  return AlignTable(rows, kLayout);
}

Json OutputsAsJson(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                   const Distances& distances) {
  Json rows = Json::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputSummary summary = Summarise(graph, i, outputs[i]);
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
    if (!distances.empty() && distances[i]) {
      json["max_abs"] = JsonNumber(distances[i]->max_abs);
      json["max_rel"] = JsonNumber(distances[i]->max_rel);
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

}  // namespace culprit::cli
