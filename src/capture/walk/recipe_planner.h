// SPDX-License-Identifier: Apache-2.0
//
// Writes down how the values that a walk has now are made when its graph has run (recipe.h). Tensors that are
// needed for that become outputs of the graph.
#pragma once

#include <unordered_map>
#include <vector>

#include "capture/state/recipe.h"
#include "capture/walk/recorder.h"
#include "capture/walk/shadow.h"

namespace culprit::capture {

class RecipePlanner {
 public:
  RecipePlanner(const Shadow& shadow, Recorder& recorder) : shadow_(shadow), recorder_(recorder) {}

  Recipe RecipeOf(const c10::IValue& value);
  std::vector<Recipe> RecipesOf(c10::ArrayRef<c10::IValue> values);
  /// What the recipes of kind kNew mean.
  std::vector<NewObject> TakeObjects() { return std::move(objects_); }

 private:
  Recipe TupleOf(const c10::IValue& value);
  size_t ObjectOf(const c10::IValue& value);

  const Shadow& shadow_;
  Recorder& recorder_;
  std::vector<NewObject> objects_;
  std::unordered_map<const void*, size_t> indices_;
};

}  // namespace culprit::capture
