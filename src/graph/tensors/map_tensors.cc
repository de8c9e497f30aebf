// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/map_tensors.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>

namespace culprit::graph {
namespace {

using Function = c10::function_ref<at::Tensor(const at::Tensor&)>;

c10::IValue MapList(const c10::IValue& value, Function function) {
  c10::impl::GenericList mapped(value.toList().elementType());
  for (const c10::IValue& element : value.toListRef()) mapped.push_back(MapTensors(element, function));
  return mapped;
}

/// Nothing for a tuple without names. Its type would be inferred, which throws if it holds an undefined
/// tensor.
c10::TupleTypePtr NamedTypeOf(const c10::ivalue::Tuple& tuple) try {
  c10::TupleTypePtr type = tuple.type<c10::TupleType>();
  return type->names() ? type : nullptr;
} catch (const c10::Error&) {
  return nullptr;
}

c10::IValue MapTuple(const c10::IValue& value, Function function) {
  const c10::ivalue::Tuple& tuple = value.toTupleRef();
  std::vector<c10::IValue> mapped;
  for (const c10::IValue& element : tuple.elements()) mapped.push_back(MapTensors(element, function));
  auto type = NamedTypeOf(tuple);
  if (type == nullptr) return c10::ivalue::Tuple::create(std::move(mapped));
  return c10::ivalue::Tuple::createNamed(std::move(mapped), std::move(type));
}

c10::IValue MapDict(const c10::IValue& value, Function function) {
  const c10::impl::GenericDict dict = value.toGenericDict();
  c10::impl::GenericDict mapped(dict.keyType(), dict.valueType());
  for (const auto& entry : dict) mapped.insert(entry.key(), MapTensors(entry.value(), function));
  return mapped;
}

}  // namespace

c10::IValue MapTensors(const c10::IValue& value, Function function) {
  if (value.isTensor()) return function(value.toTensor());
  if (value.isList()) return MapList(value, function);
  if (value.isTuple()) return MapTuple(value, function);
  if (value.isGenericDict()) return MapDict(value, function);
  return value;
}

}  // namespace culprit::graph
