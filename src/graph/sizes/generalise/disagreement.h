// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

#include "graph/sizes/generalise/generalise.h"

namespace culprit::graph::sizes {

struct Disagreement {
  /// Of the graph for some sizes; nothing if it is not about one.
  std::optional<NodeId> node;
  std::string what;
};

/// A graph for all sizes was found out by samples; this is the proof for some sizes: it does what `actual`
/// does, the graph that the same program has for these. `inputs` are what the placeholders of `general` are
/// then, of which numbers are looked at only.
std::optional<Disagreement> CompareAt(const Graph& general, const std::vector<c10::IValue>& inputs,
                                      const SizedGraph& actual);

}  // namespace culprit::graph::sizes
