// SPDX-License-Identifier: Apache-2.0
#include "capture/writes.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <algorithm>

#include "capture/capture_effects.h"
#include "graph/argument.h"

namespace culprit::capture {
namespace {

using c10::IValue;

bool IsSameValue(const IValue& a, const IValue& b) {
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

}  // namespace

size_t Writes::size() const {
  size_t size = attributes.size();
  for (const ToContainer& write : containers) size += write.values.size();
  for (const NewObject& object : objects) size += object.values.size();
  return size;
}

Writes PlanWrites(RecipePlanner& planner, const CaptureEffects& effects) {
  Writes writes;
  for (const Copied& copied : effects.shadow().copied()) {
    const Contents now = ContentsOf(copied.shadow);
    if (std::ranges::equal(now.values, copied.values, IsSameValue) &&
        std::ranges::equal(now.keys, copied.keys, IsSameValue))
      continue;
    writes.containers.push_back({copied.source, planner.RecipesOf(now.keys), planner.RecipesOf(now.values)});
  }
  for (const CaptureEffects::Slot& slot : effects.written())
    writes.attributes.push_back(
        {planner.RecipeOf(slot.object), slot.slot, planner.RecipeOf(effects.ValueWritten(slot))});
  writes.objects = planner.TakeObjects();
  return writes;
}

// Everything is looked up before anything is written: what is read may be what is written.
void Apply(const Writes& writes, const Ingredients& ingredients) {
  std::vector<std::pair<IValue, Contents>> containers;
  for (const Writes::ToContainer& write : writes.containers) {
    containers.emplace_back(
        *ingredients.found[Index(write.container)],
        Contents{FollowAll(write.keys, ingredients), FollowAll(write.values, ingredients)});
  }
  std::vector<std::pair<IValue, IValue>> attributes;
  for (const Writes::ToAttribute& write : writes.attributes)
    attributes.emplace_back(Follow(write.object, ingredients), Follow(write.value, ingredients));
  for (const auto& [container, contents] : containers) Write(container, contents);
  for (size_t i = 0; i < attributes.size(); ++i)
    attributes[i].first.toObjectRef().setSlot(writes.attributes[i].slot, attributes[i].second);
}

}  // namespace culprit::capture
