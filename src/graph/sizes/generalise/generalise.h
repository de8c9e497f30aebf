// SPDX-License-Identifier: Apache-2.0
//
// One graph for all sizes, from the same graph in several worlds (graph/sizes/worlds/numbers.h):
//
//   world 0   view = aten::view(x, [8, 120])          s0 = aten::sym_size.int(x, 0)
//   world 1   view = aten::view(x, [9, 120])     =>   view = aten::view(x, [s0, 120])
//
// Numbers that differ are computed from the sizes of placeholders if they are sums of multiples of symbols,
// and otherwise taken from a tensor that has such a size, or made of the sizes of the tensors that the
// operator gets. A number of which nothing is known is refused, and with it the symbols that it depends on.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/sizes/worlds/numbers.h"

namespace culprit::graph::sizes {

/// A graph, and how large its values were when it was made.
struct SizedGraph {
  Graph graph;
  /// Of each value; nothing for what is no tensor.
  std::vector<std::vector<int64_t>> sizes;
};

/// Where a symbol is found when the graph runs.
struct SymbolPlace {
  size_t symbol = 0;
  size_t placeholder = 0;
  /// Nothing if the placeholder is the number itself.
  std::optional<size_t> dimension;
};

struct Generalised {
  /// Placeholders know their symbols.
  Graph graph;
  /// Where each node and each value of the first world has gone.
  std::vector<NodeId> nodes;
  std::vector<ValueId> values;
  /// Symbols that the graph needs and that are no size of a placeholder: each is a new placeholder, behind
  /// the others.
  std::vector<size_t> added;
};

struct Refused {
  /// Of the first world; nothing if it is not about one.
  std::optional<NodeId> node;
  std::string reason;
  /// The symbols that have to be numbers.
  std::vector<size_t> symbols;
};

/// The first `readable` placeholders may be asked for their sizes.
std::variant<Generalised, Refused> Generalise(const std::vector<const SizedGraph*>& worlds,
                                              const std::vector<SymbolPlace>& places, const Numbers& numbers,
                                              size_t readable = SIZE_MAX);

/// Whether they are the same graph, or node, but for numbers among the arguments.
bool IsSameButForNumbers(const Graph& a, const Graph& b);
bool IsSameButForNumbers(const Node& a, const Node& b);

/// Whether all values have as many dimensions in both.
bool HasSameRanks(const std::vector<std::vector<int64_t>>& a, const std::vector<std::vector<int64_t>>& b);

/// The size of a value in all worlds.
Samples SizeIn(const std::vector<const SizedGraph*>& worlds, ValueId value, size_t dimension);

}  // namespace culprit::graph::sizes
