// SPDX-License-Identifier: Apache-2.0
//
// Containers of TorchScript, as short to write in C++ as in Python.
#pragma once

#include <ATen/core/class_type.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace culprit::tests {

inline c10::IValue List(const std::vector<c10::IValue>& elements) {
  c10::impl::GenericList list(c10::AnyType::get());
  for (const c10::IValue& element : elements) list.push_back(element);
  return list;
}

inline c10::IValue Tuple(std::vector<c10::IValue> elements) {
  return c10::ivalue::Tuple::create(std::move(elements));
}

using Attributes = std::vector<std::pair<std::string, c10::IValue>>;

inline c10::IValue NamedTuple(const std::string& name, const Attributes& fields) {
  std::vector<std::string> names;
  std::vector<c10::TypePtr> types;
  std::vector<c10::IValue> values;
  for (const auto& [field, value] : fields) {
    names.push_back(field);
    types.push_back(value.type());
    values.push_back(value);
  }
  auto type = c10::TupleType::createNamed(c10::QualifiedName("__torch__." + name), names, types);
  return c10::ivalue::Tuple::createNamed(std::move(values), std::move(type));
}

inline c10::IValue Dict(const std::vector<std::pair<c10::IValue, c10::IValue>>& entries) {
  c10::TypePtr key = c10::StringType::get();
  if (!entries.empty()) key = entries[0].first.type();
  c10::impl::GenericDict dict(key, c10::AnyType::get());
  for (const auto& [entry_key, value] : entries) dict.insert(entry_key, value);
  return dict;
}

inline c10::IValue Object(const std::string& name, const Attributes& attributes) {
  const auto unit = std::make_shared<torch::jit::CompilationUnit>();
  const auto type = c10::ClassType::create(c10::QualifiedName("__torch__." + name), unit);
  for (const auto& [attribute, value] : attributes) type->addAttribute(attribute, c10::AnyType::get());
  const auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), attributes.size());
  for (size_t i = 0; i < attributes.size(); ++i) object->setSlot(i, attributes[i].second);
  return object;
}

}  // namespace culprit::tests
