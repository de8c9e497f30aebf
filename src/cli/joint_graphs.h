// SPDX-License-Identifier: Apache-2.0
//
// What autograd makes of a captured graph, for people, for programs, and as repros.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "autograd/partition/lower.h"
#include "repro/repro.h"

namespace culprit::cli {

struct JointGraphs {
  /// Of the captured graph.
  std::string name;
  std::optional<autograd::Lowered> lowered;
  /// Why there is none.
  std::string reason;
  double seconds = 0;
};

/// Under the current modes.
JointGraphs MakeJoint(const graph::Graph& graph, const backend::Values& inputs,
                      const autograd::PartitionMode& mode);

/// Forward and backward, each with inputs from a run behind these: what backends are given. The inputs are
/// left as they are.
std::vector<repro::Repro> JointRepros(const JointGraphs& joint, const backend::Values& inputs, uint64_t seed);

std::string JointAsText(const JointGraphs& joint);
nlohmann::ordered_json JointAsJson(const JointGraphs& joint);

}  // namespace culprit::cli
