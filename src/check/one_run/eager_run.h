// SPDX-License-Identifier: Apache-2.0
//
// One run of a graph with libtorch's own kernels: the facts about each output.
#pragma once

#include <vector>

#include "base/result.h"
#include "check/one_run/distance.h"
#include "check/one_run/failing_node.h"
#include "check/one_run/output_summary.h"
#include "repro/repro.h"

namespace culprit::check {

struct EagerRun {
  std::vector<OutputSummary> outputs;
  /// From float64, one per output; empty if nobody asked.
  Distances distances;
};

enum class Distant : uint8_t { kNo, kFromFp64 };

/// An error with cause kReference if the graph fails, at the operator where it does.
base::Result<EagerRun> RunEager(const repro::Repro& repro, FailingNode& failing_node, Distant distant,
                                const std::string& file);

}  // namespace culprit::check
