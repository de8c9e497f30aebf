// SPDX-License-Identifier: Apache-2.0
//
// Which graphs a fault is for, as users write it:
//
//   tanh                  an operator, whatever its overload and its namespace
//   aten::tanh            of this namespace
//   aten::add.Tensor      of this overload; the one without a name is called default, as in Python
//   convolution>relu      the second consumes a result of the first
//   sin&tanh              both, anywhere
//
// The guilty nodes are the calls of the operator, of two the calls of the second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"

namespace culprit::faults {

struct OperatorPattern {
  /// Empty for any.
  std::string name_space = {};
  std::string name;
  /// Empty for any; "default" is the one without a name.
  std::string overload = {};
  /// relu_ means relu, too, and the other way round.
  bool ignores_in_place = false;
  bool operator==(const OperatorPattern&) const = default;

  bool Matches(const graph::Operator& op) const;
  std::string ToString() const;
};

enum class PairRelation : uint8_t { kAlone, kConsumes, kAnywhere };

struct Where {
  OperatorPattern guilty;
  PairRelation relation = PairRelation::kAlone;
  /// Written first; of a relation only.
  OperatorPattern other = {};
  bool operator==(const Where&) const = default;

  std::string ToString() const;
  /// The same for graphs that autograd makes, in which nothing is written in place.
  Where BelowAutograd() const;
  /// In program order; empty if the fault is not for this graph.
  std::vector<graph::NodeId> GuiltyNodes(const graph::Graph& graph) const;
};

base::Result<Where> ParseWhere(std::string_view text);

}  // namespace culprit::faults
