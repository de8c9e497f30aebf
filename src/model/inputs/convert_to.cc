// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/convert_to.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <fmt/format.h>

#include "graph/text/syntax/literal.h"

namespace culprit::model {

using base::Diagnostic;
using base::Result;
using c10::IValue;
using c10::TypePtr;

namespace {

Diagnostic Mismatch(const IValue& value, const c10::Type& expected) {
  return {{}, fmt::format("expected {}, not {}", expected.repr_str(), TypeName(value))};
}

/// The error of a part, with the name of the part before it.
Diagnostic InPart(Diagnostic error, const std::string& part) {
  error.message = fmt::format("{}: {}", part, error.message);
  return error;
}

bool IsPlainKind(const IValue& value, c10::TypeKind kind) {
  switch (kind) {
    case c10::TypeKind::IntType:
      return value.isInt();
    case c10::TypeKind::BoolType:
      return value.isBool();
    case c10::TypeKind::StringType:
      return value.isString();
    case c10::TypeKind::NoneType:
      return value.isNone();
    case c10::TypeKind::TensorType:
      return value.isTensor();
    case c10::TypeKind::AnyType:
      return true;
    case c10::TypeKind::AnyListType:
      return value.isList();
    case c10::TypeKind::AnyTupleType:
      return value.isTuple();
    default:
      return false;
  }
}

}  // namespace

std::string TypeName(const IValue& value) {
  if (value.isTensor()) return "Tensor";
  if (value.isNone()) return "None";
  return value.type()->repr_str();
}

Result<IValue> Converter::ConvertTo(const IValue& value, const TypePtr& expected) {
  if (value.isPtrType() && !value.isTensor()) {
    for (const Converted& known : converted_) {
      if (known.before.is(value) && *known.type == *expected) return known.after;
    }
  }
  IValue result = CULPRIT_TRY(Convert(value, expected));
  if (value.isPtrType() && !value.isTensor() && !result.is(value))
    converted_.push_back({value, expected, result});
  return result;
}

Result<IValue> Converter::Convert(const IValue& value, const TypePtr& expected) {
  switch (expected->kind()) {
    case c10::TypeKind::OptionalType:
      if (value.isNone()) return value;
      return ConvertTo(value, expected->expectRef<c10::OptionalType>().getElementType());
    case c10::TypeKind::FloatType:
    case c10::TypeKind::ComplexType:
    case c10::TypeKind::NumberType:
      return ConvertNumber(value, expected);
    case c10::TypeKind::ListType:
      return ConvertList(value, expected->expectRef<c10::ListType>());
    case c10::TypeKind::DictType:
      return ConvertDict(value, expected->expectRef<c10::DictType>());
    case c10::TypeKind::TupleType:
      return ConvertTuple(value, expected->expect<c10::TupleType>());
    case c10::TypeKind::UnionType:
      return ConvertUnion(value, expected->expectRef<c10::UnionType>());
    case c10::TypeKind::DeviceObjType:
      if (value.isDevice()) return value;
      if (value.isString()) {
        if (const auto device = graph::text::DeviceFromText(value.toStringRef())) return IValue(*device);
      }
      return Mismatch(value, *expected);
    default:
      if (IsPlainKind(value, expected->kind())) return value;
      // Objects, which no text can write.
      if (value.isObject() && value.type()->isSubtypeOf(*expected)) return value;
      return Mismatch(value, *expected);
  }
}

Result<IValue> Converter::ConvertNumber(const IValue& value, const TypePtr& expected) {
  if (!value.isInt() && !value.isDouble() && !value.isComplexDouble()) return Mismatch(value, *expected);
  if (expected->kind() == c10::TypeKind::NumberType) return value;
  if (expected->kind() == c10::TypeKind::ComplexType) return IValue(value.toScalar().toComplexDouble());
  if (value.isComplexDouble()) return Mismatch(value, *expected);
  return IValue(value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble());
}

Result<IValue> Converter::ConvertList(const IValue& value, const c10::ListType& expected) {
  if (!value.isList()) return Mismatch(value, expected);
  const c10::impl::GenericList list = value.toList();
  const TypePtr& element_type = expected.getElementType();
  c10::impl::GenericList result(element_type);
  bool same = *list.elementType() == *element_type;
  for (size_t i = 0; i < list.size(); ++i) {
    const IValue& element = list.get(i);
    Result<IValue> converted = ConvertTo(element, element_type);
    if (!converted.ok()) return InPart(std::move(converted).error(), fmt::format("element {}", i));
    same = same && converted->is(element);
    result.push_back(*std::move(converted));
  }
  return same ? value : IValue(result);
}

Result<IValue> Converter::ConvertDict(const IValue& value, const c10::DictType& expected) {
  if (!value.isGenericDict()) return Mismatch(value, expected);
  const c10::impl::GenericDict dict = value.toGenericDict();
  c10::impl::GenericDict result(expected.getKeyType(), expected.getValueType());
  bool same = *dict.keyType() == *expected.getKeyType() && *dict.valueType() == *expected.getValueType();
  for (const auto& entry : dict) {
    Result<IValue> key = ConvertTo(entry.key(), expected.getKeyType());
    if (!key.ok()) return InPart(std::move(key).error(), "a key");
    Result<IValue> element = ConvertTo(entry.value(), expected.getValueType());
    if (!element.ok()) {
      const std::string name = entry.key().isString() ? entry.key().toStringRef() : TypeName(entry.key());
      return InPart(std::move(element).error(), fmt::format("the value of '{}'", name));
    }
    same = same && element->is(entry.value());
    result.insert(*std::move(key), *std::move(element));
  }
  return same ? value : IValue(result);
}

Result<IValue> Converter::ConvertTuple(const IValue& value, const c10::TupleTypePtr& expected) {
  if (!value.isTuple()) return Mismatch(value, *expected);
  const auto& elements = value.toTupleRef().elements();
  if (elements.size() != expected->elements().size()) return Mismatch(value, *expected);
  std::vector<IValue> results;
  for (size_t i = 0; i < elements.size(); ++i) {
    Result<IValue> converted = ConvertTo(elements[i], expected->elements()[i]);
    if (!converted.ok()) return InPart(std::move(converted).error(), fmt::format("element {}", i));
    results.push_back(*std::move(converted));
  }
  if (!expected->schema()) return IValue(c10::ivalue::Tuple::create(std::move(results)));
  return IValue(c10::ivalue::Tuple::createNamed(std::move(results), expected));
}

Result<IValue> Converter::ConvertUnion(const IValue& value, const c10::UnionType& expected) {
  for (const TypePtr& type : expected.containedTypes()) {
    Result<IValue> converted = ConvertTo(value, type);
    if (converted.ok()) return converted;
  }
  return Mismatch(value, expected);
}

Result<IValue> ConvertTo(const IValue& value, const TypePtr& expected) {
  return Converter().ConvertTo(value, expected);
}

}  // namespace culprit::model
