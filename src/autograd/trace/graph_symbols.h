// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "graph/sizes/generalise/generalise.h"

namespace culprit::autograd {

/// The symbols of a graph's placeholders, with what they are in a call.
struct GraphSymbols {
  std::vector<graph::sizes::SymbolPlace> places;
  graph::sizes::Hints hints;
  /// Why a size that could be a symbol is none: its tensor shares memory, or is a view with gradients.
  std::string fixed;
};

/// Whether a placeholder has any.
bool HasSymbols(const graph::Graph& graph);

/// A size of 0 or 1 counts as fixed.
GraphSymbols SymbolsOf(const graph::Graph& graph, const backend::Values& inputs);

/// Inputs in whose places other ones stand, which are fake: those whose sizes are symbols.
backend::Values WithSizes(const backend::Values& inputs, const GraphSymbols& symbols,
                          const graph::sizes::Hints& hints);

}  // namespace culprit::autograd
