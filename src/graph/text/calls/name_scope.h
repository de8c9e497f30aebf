// SPDX-License-Identifier: Apache-2.0
//
// What the names in a function's body stand for.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/ir/argument.h"

namespace culprit::graph::text {

/// One argument, or the results of a node that has several (or none).
struct Binding {
  std::vector<Argument> items;
  bool is_tuple = false;
  /// What the name stands for is unknown, since its statement was an error.
  bool is_unknown = false;

  /// What it consists of: several results, or the elements of a list.
  const std::vector<Argument>& elements() const {
    const bool is_list = !is_tuple && items.size() == 1 && items.front().is_list();
    return is_list ? items.front().list() : items;
  }

  static Binding Single(Argument argument) { return {{std::move(argument)}, false}; }
};

struct NameScope {
  /// An empty binding (neither items nor tuple) is a name that was deleted: `x = None`, `del x`.
  std::unordered_map<std::string_view, Binding> names;
  /// self.NAME
  std::unordered_map<std::string, Argument> attributes;
  /// Of those that stand for nothing which a graph has.
  std::unordered_set<std::string> unknown_attributes;
};

}  // namespace culprit::graph::text
