// SPDX-License-Identifier: Apache-2.0
#include "capture/state_plan.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <algorithm>

#include "capture/unread.h"
#include "graph/argument.h"

namespace culprit::capture {
namespace {

using c10::IValue;

class Planner {
 public:
  explicit Planner(CaptureEffects& effects) : effects_(effects) {}

  Recipe RecipeOf(const IValue& value) {
    if (const auto unread = AsUnread(value))
      return {.kind = Recipe::Kind::kUnread, .place = unread->place, .plus = unread->plus};
    if (value.isTuple()) return TupleOf(value);
    if (const auto source = effects_.shadow().SourceOf(value); source && IdentityOf(value) != nullptr)
      return {.kind = Recipe::Kind::kSource, .index = Index(*source)};
    if (value.isTensor() && value.toTensor().defined())
      return {.kind = Recipe::Kind::kOutput, .index = effects_.recorder().AddOutput(value.toTensor())};
    if (value.isList() || value.isGenericDict() || value.isObject())
      return {.kind = Recipe::Kind::kNew, .index = ObjectOf(value)};
    return {.constant = value};
  }

  std::vector<Recipe> RecipesOf(c10::ArrayRef<IValue> values) {
    std::vector<Recipe> recipes;
    recipes.reserve(values.size());
    for (const IValue& value : values) recipes.push_back(RecipeOf(value));
    return recipes;
  }

  StatePlan::Frame PlanFrame(const vm::Frame& frame) {
    StatePlan::Frame plan{frame.code, frame.pc, {}};
    for (size_t i = 0; i < frame.registers.size(); ++i) {
      if (!frame.registers[i].isNone()) plan.registers.emplace_back(i, RecipeOf(frame.registers[i]));
    }
    return plan;
  }

  std::vector<NewObject> TakeObjects() { return std::move(objects_); }

 private:
  Recipe TupleOf(const IValue& value) {
    const auto& elements = value.toTupleRef().elements();
    Recipe recipe{.kind = Recipe::Kind::kTuple};
    for (const IValue& element : elements) recipe.items.push_back(RecipeOf(element));
    const c10::TupleTypePtr type = value.toTupleRef().type<c10::TupleType>();
    if (type->schema()) recipe.type = type;
    return recipe;
  }

  size_t ObjectOf(const IValue& value) {
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

  CaptureEffects& effects_;
  std::vector<NewObject> objects_;
  std::unordered_map<const void*, size_t> indices_;
};

bool IsSame(const IValue& a, const IValue& b) {
  if (IdentityOf(a) != nullptr || IdentityOf(b) != nullptr) return IdentityOf(a) == IdentityOf(b);
  return graph::SameConstant(a, b);
}

struct Contents {
  std::vector<IValue> keys;
  std::vector<IValue> values;
};

Contents ContentsOf(const IValue& container) {
  Contents contents;
  if (container.isList()) {
    contents.values = container.toListRef().vec();
    return contents;
  }
  for (const auto& entry : container.toGenericDict()) {
    contents.keys.push_back(entry.key());
    contents.values.push_back(entry.value());
  }
  return contents;
}

void Write(const IValue& container, const Contents& contents) {
  if (container.isList()) {
    c10::impl::GenericList list = container.toList();
    list.clear();
    for (const IValue& value : contents.values) list.push_back(value);
    return;
  }
  c10::impl::GenericDict dict = container.toGenericDict();
  dict.clear();
  for (size_t i = 0; i < contents.keys.size(); ++i) dict.insert(contents.keys[i], contents.values[i]);
}

std::vector<IValue> FollowAll(const std::vector<Recipe>& recipes, const Ingredients& ingredients) {
  std::vector<IValue> values;
  values.reserve(recipes.size());
  for (const Recipe& recipe : recipes) values.push_back(Follow(recipe, ingredients));
  return values;
}

/// Everything is looked up before anything is written: what is read may be what is written.
void ApplyWrites(const StatePlan& plan, const Ingredients& ingredients) {
  std::vector<std::pair<IValue, Contents>> containers;
  for (const StatePlan::ContainerWrite& write : plan.container_writes) {
    containers.emplace_back(
        *ingredients.found[Index(write.container)],
        Contents{FollowAll(write.keys, ingredients), FollowAll(write.values, ingredients)});
  }
  std::vector<std::pair<IValue, IValue>> attributes;
  for (const StatePlan::AttributeWrite& write : plan.attribute_writes)
    attributes.emplace_back(Follow(write.object, ingredients), Follow(write.value, ingredients));
  for (const auto& [container, contents] : containers) Write(container, contents);
  for (size_t i = 0; i < attributes.size(); ++i)
    attributes[i].first.toObjectRef().setSlot(plan.attribute_writes[i].slot, attributes[i].second);
}

}  // namespace

StatePlan PlanState(const vm::State& walk, CaptureEffects& effects) {
  Planner planner(effects);
  StatePlan plan;
  for (const vm::Frame& frame : walk.frames) plan.frames.push_back(planner.PlanFrame(frame));
  plan.stack = planner.RecipesOf(walk.stack);
  plan.entered = planner.RecipesOf(walk.entered);
  for (const Copied& copied : effects.shadow().copied()) {
    const Contents now = ContentsOf(copied.shadow);
    if (std::ranges::equal(now.values, copied.values, IsSame) &&
        std::ranges::equal(now.keys, copied.keys, IsSame))
      continue;
    plan.container_writes.push_back(
        {copied.source, planner.RecipesOf(now.keys), planner.RecipesOf(now.values)});
  }
  for (const CaptureEffects::Slot& slot : effects.written())
    plan.attribute_writes.push_back(
        {planner.RecipeOf(slot.object), slot.slot, planner.RecipeOf(effects.ValueWritten(slot))});
  plan.objects = planner.TakeObjects();
  return plan;
}

void Apply(const StatePlan& plan, const std::vector<const IValue*>& found, const std::vector<IValue>& outputs,
           vm::State& state) {
  Ingredients ingredients{.state = state, .found = found, .outputs = outputs};
  MakeObjects(plan.objects, ingredients);
  vm::State next;
  for (const StatePlan::Frame& frame : plan.frames) {
    next.frames.push_back({frame.code, frame.pc, std::vector<IValue>(frame.code->registers())});
    for (const auto& [index, recipe] : frame.registers)
      next.frames.back().registers[index] = Follow(recipe, ingredients);
  }
  next.stack = FollowAll(plan.stack, ingredients);
  next.entered = FollowAll(plan.entered, ingredients);
  ApplyWrites(plan, ingredients);
  state = std::move(next);
}

}  // namespace culprit::capture
