// SPDX-License-Identifier: Apache-2.0
#include "capture/state/writes.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

namespace culprit::capture {
namespace {

using c10::IValue;

struct Contents {
  std::vector<IValue> keys;
  std::vector<IValue> values;
};

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
