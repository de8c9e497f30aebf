// SPDX-License-Identifier: Apache-2.0
#include "capture/state/recipe.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include "base/internal_error.h"
#include "capture/vm/containers.h"

namespace culprit::capture {
namespace {

using c10::IValue;

IValue MakeEmpty(const c10::TypePtr& type) {
  if (const auto list = type->cast<c10::ListType>()) return c10::impl::GenericList(list->getElementType());
  if (const auto dict = type->cast<c10::DictType>())
    return c10::impl::GenericDict(dict->getKeyType(), dict->getValueType());
  return vm::MakeObject(type->expect<c10::ClassType>());
}

IValue FollowLazy(const Recipe& recipe, const vm::State& state) {
  const StatePlace& place = recipe.place;
  const IValue& value = place.kind == StatePlace::Kind::kStack
                            ? state.stack[place.index]
                            : state.frames[place.frame].registers[place.index];
  return recipe.plus == 0 ? value : IValue(value.toInt() + recipe.plus);
}

IValue FollowSize(const Recipe& recipe, const std::vector<int64_t>& symbols) {
  const std::optional<int64_t> number = Evaluate(*recipe.size, symbols);
  CULPRIT_CHECK(number, "{} cannot be computed", ToString(*recipe.size));
  return *number;
}

void Fill(const NewObject& object, const IValue& made, const Ingredients& ingredients) {
  for (size_t i = 0; i < object.values.size(); ++i) {
    IValue value = Follow(object.values[i], ingredients);
    if (made.isList()) {
      made.toList().push_back(std::move(value));
    } else if (made.isGenericDict()) {
      made.toGenericDict().insert(Follow(object.keys[i], ingredients), std::move(value));
    } else {
      made.toObjectRef().setSlot(i, std::move(value));
    }
  }
}

}  // namespace

void MakeObjects(const std::vector<NewObject>& objects, Ingredients& ingredients) {
  for (const NewObject& object : objects) ingredients.made.push_back(MakeEmpty(object.type));
  for (size_t i = 0; i < objects.size(); ++i) Fill(objects[i], ingredients.made[i], ingredients);
}

IValue Follow(const Recipe& recipe, const Ingredients& ingredients) {
  switch (recipe.kind) {
    case Recipe::Kind::kConstant:
      return recipe.constant;
    case Recipe::Kind::kSource:
      return *ingredients.found[recipe.index];
    case Recipe::Kind::kLazy:
      return FollowLazy(recipe, ingredients.state);
    case Recipe::Kind::kOutput:
      return ingredients.outputs[recipe.index];
    case Recipe::Kind::kNew:
      return ingredients.made[recipe.index];
    case Recipe::Kind::kSize:
      return FollowSize(recipe, ingredients.symbols);
    case Recipe::Kind::kTuple:
      break;
  }
  std::vector<IValue> items = FollowAll(recipe.items, ingredients);
  return recipe.type
             ? c10::ivalue::Tuple::createNamed(std::move(items), recipe.type->expect<c10::TupleType>())
             : c10::ivalue::Tuple::create(std::move(items));
}

std::vector<IValue> FollowAll(const std::vector<Recipe>& recipes, const Ingredients& ingredients) {
  std::vector<IValue> values;
  values.reserve(recipes.size());
  for (const Recipe& recipe : recipes) values.push_back(Follow(recipe, ingredients));
  return values;
}

}  // namespace culprit::capture
