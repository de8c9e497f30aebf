// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/recipe_planner.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include "capture/guards/aliasing.h"

namespace culprit::capture {

using c10::IValue;

Recipe RecipePlanner::RecipeOf(const IValue& value) {
  if (const auto lazy = AsLazy(value))
    return {.kind = Recipe::Kind::kLazy, .place = lazy->place, .plus = lazy->plus};
  if (value.isTuple()) return TupleOf(value);
  if (const auto source = shadow_.SourceOf(value); source && IdentityOf(value) != nullptr)
    return {.kind = Recipe::Kind::kSource, .index = Index(*source)};
  if (value.isTensor() && value.toTensor().defined())
    return {.kind = Recipe::Kind::kOutput, .index = recorder_.AddOutput(value.toTensor())};
  if (value.isList() || value.isGenericDict() || value.isObject())
    return {.kind = Recipe::Kind::kNew, .index = ObjectOf(value)};
  return {.constant = value};
}

std::vector<Recipe> RecipePlanner::RecipesOf(c10::ArrayRef<IValue> values) {
  std::vector<Recipe> recipes;
  recipes.reserve(values.size());
  for (const IValue& value : values) recipes.push_back(RecipeOf(value));
  return recipes;
}

Recipe RecipePlanner::TupleOf(const IValue& value) {
  const auto& elements = value.toTupleRef().elements();
  Recipe recipe{.kind = Recipe::Kind::kTuple};
  for (const IValue& element : elements) recipe.items.push_back(RecipeOf(element));
  const c10::TupleTypePtr type = value.toTupleRef().type<c10::TupleType>();
  if (type->schema()) recipe.type = type;
  return recipe;
}

size_t RecipePlanner::ObjectOf(const IValue& value) {
  const auto [known, is_new] = indices_.emplace(IdentityOf(value), objects_.size());
  const size_t index = known->second;
  if (!is_new) return index;
  objects_.emplace_back();
  NewObject object{.type = value.type()};
  if (value.isList()) {
    object.values = RecipesOf(value.toListRef());
  } else if (value.isObject()) {
    object.values = RecipesOf(value.toObjectRef().slots());
  } else {
    for (const auto& entry : value.toGenericDict()) {
      object.keys.push_back(RecipeOf(entry.key()));
      object.values.push_back(RecipeOf(entry.value()));
    }
  }
  objects_[index] = std::move(object);
  return index;
}

}  // namespace culprit::capture
