// SPDX-License-Identifier: Apache-2.0
//
// Sizes as PyTorch makes symbols of them when it runs a script of its own with `tracing_mode='symbolic'`:
// equal sizes are one symbol, and 0 and 1 are none.
//
//   reader.symint(7, expr='s77')
//   reader.tensor(buf0, (7, 1, 3), ...)      =>  placeholder_symbols = {'arg0_1': ['s77'], 'arg1_1': ['s77',
//   None, 's0']}
#pragma once

#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::repro {

/// Tensors that share memory keep their sizes, as in docs/sizes.md. A graph that has symbols is left alone.
void SetSymbolsBySize(graph::Graph& graph, const graph::InputSpecs& inputs);

}  // namespace culprit::repro
