// SPDX-License-Identifier: Apache-2.0
//
// One run of a graph in float64 that looks like a run of the graph itself:
//
//   inputs     =>  copies in float64, through which gradients flow on to the inputs
//   random     =>  what the graph draws in its own precision, from the generator as it is now
//   the graph  =>  in float64 (graph/passes/cast_to_fp64.h), without autocast
//   outputs    =>  in the dtypes of a run of the graph itself; views of inputs are views of inputs again
//   writes     =>  into the inputs, behind the run
//
// The run of the graph itself that tells dtypes and random numbers comes first, on copies and without
// gradients.
#pragma once

#include "backend/backend.h"
#include "graph/ir/graph.h"

namespace culprit::backends::eager_fp64 {

/// Throws backend::Refusal if the graph cannot be cast, and what operators throw.
backend::Values RunInFp64(const graph::Graph& graph, const backend::Values& inputs);

}  // namespace culprit::backends::eager_fp64
