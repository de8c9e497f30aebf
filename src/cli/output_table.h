// SPDX-License-Identifier: Apache-2.0
//
// What came out of a graph, for people and for machines: one row per output.
#pragma once

#include <ATen/core/ivalue.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace culprit::cli {

std::string OutputsAsTable(const graph::Graph& graph, const std::vector<c10::IValue>& outputs);
nlohmann::ordered_json OutputsAsJson(const graph::Graph& graph, const std::vector<c10::IValue>& outputs);

}  // namespace culprit::cli
