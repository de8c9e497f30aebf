// SPDX-License-Identifier: Apache-2.0
#include "capture/guards/aliasing.h"

#include <fmt/format.h>

namespace culprit::capture {
namespace {

using c10::IValue;

const void* MemoryOf(const IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().has_storage()) return nullptr;
  return value.toTensor().unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// Values whose guard says that they are another one, or that cannot be told apart, have none of their own.
bool HasIdentity(const Guard& guard, const IValue& value) {
  return !std::holds_alternative<SameAs>(guard.expected) && !value.isTuple() && IdentityOf(value) != nullptr;
}

bool Shares(const void* a, const void* b) {
  return a != nullptr && a == b;
}

}  // namespace

const void* IdentityOf(const IValue& value) {
  return value.isPtrType() && !value.isString() ? value.internalToPointer() : nullptr;
}

Aliasing AliasingOf(const std::vector<Guard>& guards, const std::vector<const IValue*>& found) {
  Aliasing aliasing;
  for (size_t i = 0; i < guards.size(); ++i) {
    if (HasIdentity(guards[i], *found[i]))
      aliasing.objects.push_back({SourceId(i), IdentityOf(*found[i]), MemoryOf(*found[i])});
  }
  return aliasing;
}

std::optional<Pair> Difference(const Aliasing& aliasing, const std::vector<const IValue*>& found) {
  for (const Aliasing::Object& object : aliasing.objects) {
    const IValue& value = *found[Index(object.source)];
    const void* identity = IdentityOf(value);
    const void* memory = MemoryOf(value);
    if (identity == object.identity && memory == object.memory) continue;
    for (const Aliasing::Object& other : aliasing.objects) {
      if (&other == &object) continue;
      const IValue& other_value = *found[Index(other.source)];
      if (Shares(identity, IdentityOf(other_value)) ||
          Shares(memory, MemoryOf(other_value)) != Shares(object.memory, other.memory))
        return Pair{object.source, other.source};
    }
  }
  return std::nullopt;
}

std::string Describe(const Pair& pair, const std::vector<Guard>& guards) {
  return fmt::format("whether {} and {} share memory has changed", guards[Index(pair.first)].source.name,
                     guards[Index(pair.second)].source.name);
}

}  // namespace culprit::capture
