// SPDX-License-Identifier: Apache-2.0
//
// What autograd makes of a captured graph, to be told and as repros.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autograd/partition/lower.h"
#include "explain/explanation.h"
#include "repro/repro.h"

namespace culprit::explain {

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

ExplainedJoint ExplainJoint(const JointGraphs& joint);

}  // namespace culprit::explain
