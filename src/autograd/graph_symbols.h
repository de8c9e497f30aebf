// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backend/backend.h"
#include "graph/sizes/generalise.h"

namespace culprit::autograd {

/// The symbols of a graph's placeholders, with what they are in a call.
struct GraphSymbols {
  std::vector<graph::sizes::SymbolPlace> places;
  graph::sizes::Hints hints;
};

/// A size of 0 or 1 counts as fixed, and so do those of inputs that share memory, or are views with gradients.
GraphSymbols SymbolsOf(const graph::Graph& graph, const backend::Values& inputs);

/// Inputs in whose places other ones stand, which are fake: those whose sizes are symbols.
backend::Values WithSizes(const backend::Values& inputs, const GraphSymbols& symbols,
                          const graph::sizes::Hints& hints);

}  // namespace culprit::autograd
