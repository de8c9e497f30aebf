// SPDX-License-Identifier: Apache-2.0
//
// What a graph would compute with far less rounding: the same graph in float64, on the same inputs and with
// the same random numbers. Random operators are replaced by what they drew in the graph's own precision
// (graph/passes/hoist_random.h), copies that depend on dtypes stay copies (graph/passes/explicit_copies.h),
// then everything is cast (graph/passes/cast_to_fp64.h), inputs where they are needed first if that can be
// done (graph/passes/cast_at_first_use.h). It can be differentiated like the graph itself.
#pragma once

#include <ATen/core/ivalue.h>

#include <memory>
#include <vector>

#include "base/result.h"
#include "check/model/model.h"
#include "graph/ir/graph.h"
#include "repro/header/run_settings.h"

namespace culprit::check {

/// The settings for a run in float64: as these, with float64 for the default dtype and without autocast.
repro::RunSettings SettingsInFp64(repro::RunSettings settings);

/// Takes inputs that are cast from these, and has to be run under SettingsInFp64. Refuses, by name, graphs
/// that cannot be cast. The inputs are left as they are; what an operator throws passes through.
base::Result<std::unique_ptr<Model>> GraphInFp64(const graph::Graph& graph,
                                                 const std::vector<c10::IValue>& inputs,
                                                 const repro::RunSettings& settings);

}  // namespace culprit::check
