// SPDX-License-Identifier: Apache-2.0
//
// How the values that a program has behind a graph are made from what the graph returns:
//
//   a tensor           an output of the graph, or still where it was found
//   a variable that nobody has read   as it was
//   a number, a text   the same one
//   a number that is made of sizes   computed again
//   a new list, dict or object   made anew: first all of them, then what they hold, since they may hold each
//   other a tuple            of recipes
#pragma once

#include <ATen/core/ivalue.h>

#include <utility>
#include <vector>

#include "capture/guards/guard_source.h"
#include "capture/state/lazy_value.h"
#include "graph/sizes/expressions/expression.h"

namespace culprit::capture {

struct Recipe {
  enum class Kind : uint8_t { kConstant, kSource, kLazy, kOutput, kNew, kTuple, kSize };
  Kind kind = Kind::kConstant;
  /// Of the source, the output or the new object.
  size_t index = 0;
  /// Of what nobody has looked at, and what is added to it.
  StatePlace place = {};
  int64_t plus = 0;
  c10::IValue constant = {};
  /// Of a tuple.
  std::vector<Recipe> items = {};
  c10::TypePtr type = {};
  /// Of a whole number that is made of sizes; in symbols.
  std::optional<graph::sizes::Expression> size = {};
};

/// A list, dict or object that the program has made.
struct NewObject {
  /// ListType, DictType or ClassType.
  c10::TypePtr type;
  /// Of a dict.
  std::vector<Recipe> keys = {};
  std::vector<Recipe> values = {};
};

/// What is at hand when recipes are followed.
struct Ingredients {
  /// Before the graph.
  const vm::State& state;
  /// By source.
  const std::vector<const c10::IValue*>& found;
  const std::vector<c10::IValue>& outputs;
  /// What they are in this call.
  const std::vector<int64_t>& symbols;
  std::vector<c10::IValue> made = {};
};

/// Fills `made`.
void MakeObjects(const std::vector<NewObject>& objects, Ingredients& ingredients);
c10::IValue Follow(const Recipe& recipe, const Ingredients& ingredients);
std::vector<c10::IValue> FollowAll(const std::vector<Recipe>& recipes, const Ingredients& ingredients);

}  // namespace culprit::capture
