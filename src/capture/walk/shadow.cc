// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/shadow.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include "capture/guards/aliasing.h"
#include "graph/fake/world.h"

namespace culprit::capture {
namespace {

using c10::IValue;

/// Others keep no numbers in plain memory, or more than that.
bool CanBeFake(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && !tensor.is_quantized() && tensor.device().is_cpu() &&
         tensor.has_storage() && !tensor.unsafeGetTensorImpl()->is_python_dispatch();
}

}  // namespace

bool IsConstant(const IValue& value) {
  return value.isNone() || value.isScalar() || value.isBool() || value.isString() || value.isDevice() ||
         value.isEnum();
}

SourceId Shadow::Expect(GuardSource source, ExpectedValue expected) {
  guards_.push_back({std::move(source), std::move(expected)});
  return SourceId(guards_.size() - 1);
}

IValue Shadow::Remember(const IValue& real, const IValue& shadow, SourceId source) {
  known_.emplace(IdentityOf(real), Known{shadow, source});
  sources_.emplace(IdentityOf(shadow), source);
  return shadow;
}

std::optional<SourceId> Shadow::SourceOf(const IValue& shadow) const {
  const auto found = sources_.find(IdentityOf(shadow));
  return found == sources_.end() ? std::nullopt : std::optional(found->second);
}

IValue Shadow::Of(const IValue& real, GuardSource source) {
  const void* identity = IdentityOf(real);
  const auto known = known_.find(identity);
  // Tuples cannot change, so which one it is does not matter.
  if (identity != nullptr && !real.isTuple() && known != known_.end()) {
    Expect(std::move(source), SameAs{known->second.source});
    return known->second.shadow;
  }
  if (IsConstant(real)) return OfConstant(real, std::move(source));
  if (real.isTensor()) return OfTensor(real, std::move(source));
  if (real.isList()) return OfList(real, source);
  if (real.isGenericDict()) return OfDict(real, source);
  if (real.isTuple()) return OfTuple(real, source);
  if (real.isObject())
    return Remember(real, real, Expect(std::move(source), ObjectOf{real.toObjectRef().type().get()}));
  return Remember(real, real, Expect(std::move(source), Opaque{real.tagKind()}));
}

IValue Shadow::OfConstant(const IValue& real, GuardSource source) {
  const auto other = other_.numbers.find(NextSource());
  Expect(std::move(source), Constant{real});
  return other == other_.numbers.end() ? real : IValue(other->second);
}

IValue Shadow::OfTensor(const IValue& real, GuardSource source) {
  const at::Tensor& tensor = real.toTensor();
  if (!tensor.defined()) {
    Expect(std::move(source), UndefinedTensor{});
    return real;
  }
  if (!CanBeFake(tensor)) return Remember(real, real, Expect(std::move(source), Opaque{real.tagKind()}));
  const auto other = other_.tensors.find(NextSource());
  const IValue fake = other == other_.tensors.end()
                          ? world_->FakeOf(tensor)
                          : world_->FakeOf(tensor, other->second.sizes, other->second.strides);
  return Remember(real, fake, Expect(std::move(source), LikenessOf(tensor)));
}

IValue Shadow::OfList(const IValue& real, const GuardSource& source) {
  const c10::impl::GenericList list = real.toList();
  c10::impl::GenericList copy(list.elementType());
  copy.reserve(list.size());
  const SourceId id = Expect(source, ListOf{list.size()});
  Remember(real, copy, id);
  Copied copied{.source = id, .shadow = copy};
  for (size_t i = 0; i < list.size(); ++i) {
    copied.values.push_back(Of(list.get(i), ElementSource(source, id, i)));
    copy.push_back(copied.values.back());
  }
  copied_.push_back(std::move(copied));
  return copy;
}

IValue Shadow::OfDict(const IValue& real, const GuardSource& source) {
  const c10::impl::GenericDict dict = real.toGenericDict();
  c10::impl::GenericDict copy(dict.keyType(), dict.valueType());
  DictOf expected;
  for (const auto& entry : dict) expected.keys.push_back(entry.key());
  const SourceId id = Expect(source, expected);
  Remember(real, copy, id);
  Copied copied{.source = id, .shadow = copy, .keys = expected.keys};
  for (const auto& entry : dict) {
    copied.values.push_back(Of(entry.value(), ValueSource(source, id, entry.key())));
    copy.insert(entry.key(), copied.values.back());
  }
  copied_.push_back(std::move(copied));
  return copy;
}

IValue Shadow::OfTuple(const IValue& real, const GuardSource& source) {
  const auto& elements = real.toTupleRef().elements();
  const SourceId id = Expect(source, TupleOf{elements.size()});
  std::vector<IValue> copies;
  for (size_t i = 0; i < elements.size(); ++i) copies.push_back(Of(elements[i], ItemSource(source, id, i)));
  const c10::TupleTypePtr type = real.type()->expect<c10::TupleType>();
  return type->schema() ? c10::ivalue::Tuple::createNamed(std::move(copies), type)
                        : c10::ivalue::Tuple::create(std::move(copies));
}

}  // namespace culprit::capture
