// SPDX-License-Identifier: Apache-2.0
#include "cli/output_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "graph/text/literal.h"

namespace culprit::cli {
namespace {

struct Row {
  std::string name;
  std::string kind;
  std::vector<int64_t> sizes;
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  int64_t nans = 0;
  int64_t infinities = 0;
  bool has_numbers = false;
};

void Summarise(const at::Tensor& tensor, Row& row) {
  row.kind = graph::text::NameOf(tensor.scalar_type());
  row.sizes = tensor.sizes().vec();
  if (tensor.numel() == 0 || tensor.is_quantized() || tensor.layout() != at::kStrided) return;
  at::Tensor values = tensor.detach();
  if (values.is_complex()) values = values.abs();
  values = values.to(at::kDouble).reshape({-1});
  row.nans = values.isnan().sum().item<int64_t>();
  row.infinities = values.isinf().sum().item<int64_t>();
  const at::Tensor finite = values.masked_select(values.isfinite());
  if (finite.numel() == 0) return;
  row.minimum = finite.min().item<double>();
  row.maximum = finite.max().item<double>();
  row.mean = finite.mean().item<double>();
  row.has_numbers = true;
}

Row MakeRow(const graph::Graph& graph, size_t index, const c10::IValue& output) {
  const graph::Argument& argument = graph.outputs()[index];
  Row row{.name = argument.is_value() ? graph.value(argument.value()).name : "constant"};
  if (output.isTensor() && output.toTensor().defined()) {
    Summarise(output.toTensor(), row);
  } else if (output.isTensor() || output.isNone()) {
    row.kind = "None";
  } else if (output.isScalar()) {
    row.kind = output.tagKind();
    row.minimum = row.maximum = row.mean = output.toScalar().toDouble();
    row.has_numbers = true;
  } else {
    row.kind = output.tagKind();
  }
  return row;
}

std::string DistanceColumns(const std::optional<Distance>& distance) {
  if (!distance) return fmt::format(" {:>12} {:>12}", "-", "-");
  return fmt::format(" {:>12.3g} {:>12.3g}", distance->max_abs, distance->max_rel);
}

}  // namespace

std::string OutputsAsTable(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                           const Distances& distances) {
  std::string text = fmt::format("{:>3}  {:24} {:16} {:20} {:>12} {:>12} {:>12} {:>6} {:>6}", "", "output",
                                 "dtype", "sizes", "min", "max", "mean", "NaN", "Inf");
  if (!distances.empty()) text += fmt::format(" {:>12} {:>12}", "max abs", "max rel");
  text += '\n';
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Row row = MakeRow(graph, i, outputs[i]);
    const std::string sizes = fmt::format("[{}]", fmt::join(row.sizes, ", "));
    text += fmt::format("{:>3}  {:24} {:16} {:20}", i, row.name, row.kind, sizes);
    if (row.has_numbers)
      text += fmt::format(" {:>12.5g} {:>12.5g} {:>12.5g}", row.minimum, row.maximum, row.mean);
    if (!row.has_numbers) text += fmt::format(" {:>12} {:>12} {:>12}", "-", "-", "-");
    text += fmt::format(" {:>6} {:>6}", row.nans, row.infinities);
    if (!distances.empty()) text += DistanceColumns(distances[i]);
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json OutputsAsJson(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                                     const Distances& distances) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Row row = MakeRow(graph, i, outputs[i]);
    nlohmann::ordered_json json = {{"output", row.name},
                                   {"dtype", row.kind},
                                   {"sizes", row.sizes},
                                   {"nan", row.nans},
                                   {"inf", row.infinities}};
    if (row.has_numbers) {
      json["min"] = row.minimum;
      json["max"] = row.maximum;
      json["mean"] = row.mean;
    }
    if (!distances.empty() && distances[i]) {
      json["max_abs"] = distances[i]->max_abs;
      json["max_rel"] = distances[i]->max_rel;
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

}  // namespace culprit::cli
