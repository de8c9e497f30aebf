// SPDX-License-Identifier: Apache-2.0
//
// What came out of a graph, for people and for machines: one row per output.
#pragma once

#include <ATen/core/ivalue.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/distance.h"
#include "graph/ir/graph.h"

namespace culprit::cli {

/// With `distances` (one per output, or none at all) the rows also say how far the output is from float64.
std::string OutputsAsTable(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                           const Distances& distances);
/// Numbers that are not finite, which JSON lacks, are the strings "nan", "inf" and "-inf"; what is not known
/// is left out.
nlohmann::ordered_json OutputsAsJson(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                                     const Distances& distances);

}  // namespace culprit::cli
