// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "graph/sizes/generalise/generalise.h"

namespace culprit::graph::sizes {

/// Says what the numbers among the arguments of operators are made of.
class NumberFinder {
 public:
  /// Both have to stay.
  NumberFinder(const std::vector<const SizedGraph*>& worlds, const Numbers& numbers, size_t readable);

  /// The results of this node may be asked for sizes from now on.
  void Add(NodeId node);

  struct Factor {
    Samples samples;
    Expression expression;
  };

  /// A number among the arguments of this node; `siblings` are those that stand before it. Strides are
  /// products of sizes, which often stand there.
  std::optional<Expression> Find(const Samples& samples, NodeId node,
                                 const std::vector<Factor>& siblings = {}) const;

 private:
  void AddValue(ValueId value);
  std::optional<Expression> SizeOf(const Samples& samples) const;
  std::optional<Expression> Negated(const Samples& samples) const;
  /// Symbols, and sizes of the node's tensors that differ from world to world.
  std::vector<Factor> FactorsFor(NodeId node) const;
  std::optional<Expression> Product(const Samples& samples, const std::vector<Factor>& factors) const;
  std::optional<Expression> WholeTensor(const Samples& samples, NodeId node) const;

  const std::vector<const SizedGraph*>& worlds_;
  const Numbers& numbers_;
  /// The first tensor that has the size.
  std::map<Samples, Expression> sizes_;
};

}  // namespace culprit::graph::sizes
