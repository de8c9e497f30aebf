// SPDX-License-Identifier: Apache-2.0
//
// Gives every value of a graph a name: first those that are wanted, then fresh ones for the rest.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph::text {

class NameValues {
 public:
  /// The first wish for a value counts; a name goes to the first value that wants it.
  void Want(ValueId id, std::string_view name);
  /// For results that may stay unnamed: a name to derive theirs from.
  void HintAll(const std::vector<Argument>& values, std::string_view name);

  void Apply(Graph& graph);

 private:
  std::unordered_map<ValueId, std::string> wanted_;
  std::unordered_map<ValueId, std::string> hints_;
  std::unordered_set<std::string> taken_;
};

}  // namespace culprit::graph::text
