// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/tree.h"

#include <ATen/core/class_type.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/DefaultDtype.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"

namespace culprit::compare {
namespace {

constexpr std::string_view kOnlyLossCounts = "QuestionAnsweringModelOutput";

std::string Unqualified(const std::optional<c10::QualifiedName>& name) {
  return name ? name->name() : std::string();
}

/// Numbers before text, each in its own order.
struct Key {
  double number = 0;
  std::string text;
  std::string step;

  bool operator<(const Key& other) const {
    return std::tie(number, text) < std::tie(other.number, other.text);
  }
};

std::optional<Key> KeyOf(const c10::IValue& key) {
  if (key.isString()) {
    const std::string& text = key.toStringRef();
    return Key{INFINITY, text, fmt::format("['{}']", base::Printable(text))};
  }
  if (key.isInt()) return Key{static_cast<double>(key.toInt()), "", fmt::format("[{}]", key.toInt())};
  if (key.isDouble()) return Key{key.toDouble(), "", fmt::format("[{}]", key.toDouble())};
  if (key.isBool()) return Key{key.toBool() ? 1.0 : 0.0, "", key.toBool() ? "[True]" : "[False]"};
  return std::nullopt;
}

TreeNode OpenDict(const c10::IValue& value) {
  std::vector<std::pair<Key, c10::IValue>> entries;
  for (const auto& entry : value.toGenericDict()) {
    std::optional<Key> key = KeyOf(entry.key());
    if (!key) return {};
    entries.emplace_back(*std::move(key), entry.value());
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  TreeNode node{NodeKind::kDict};
  for (auto& [key, child] : entries) node.children.push_back({std::move(key.step), std::move(child)});
  return node;
}

TreeNode OpenList(const c10::IValue& value) {
  TreeNode node{NodeKind::kSequence};
  for (const c10::IValue& child : value.toListRef())
    node.children.push_back({fmt::format("[{}]", node.children.size()), child});
  return node;
}

/// Nothing for a tuple without names that holds an undefined tensor: inferring its type throws.
c10::TupleTypePtr TypeOf(const c10::ivalue::Tuple& tuple) try {
  return tuple.type<c10::TupleType>();
} catch (const c10::Error&) {
  return nullptr;
}

TreeNode OpenTuple(const c10::IValue& value) {
  const c10::ivalue::Tuple& tuple = value.toTupleRef();
  const c10::TupleTypePtr type = TypeOf(tuple);
  TreeNode node{NodeKind::kSequence};
  std::optional<std::vector<c10::string_view>> names;
  if (type != nullptr) {
    node.type_name = Unqualified(type->name());
    names = type->names();
  }
  for (size_t i = 0; i < tuple.elements().size(); ++i) {
    std::string step = names ? fmt::format(".{}", std::string(names->at(i))) : fmt::format("[{}]", i);
    node.children.push_back({std::move(step), tuple.elements()[i]});
  }
  return node;
}

TreeNode OpenObject(const c10::IValue& value) {
  const auto object = value.toObject();
  const auto type = object->type();
  TreeNode node{NodeKind::kObject, Unqualified(type->name())};
  for (size_t i = 0; i < type->numAttributes(); ++i)
    node.children.push_back({"." + type->getAttributeName(i), object->getSlot(i)});
  return node;
}

}  // namespace

TreeNode OpenNode(const c10::IValue& value) {
  TreeNode node;
  if (value.isList()) node = OpenList(value);
  if (value.isTuple()) node = OpenTuple(value);
  if (value.isGenericDict()) node = OpenDict(value);
  if (value.isObject()) node = OpenObject(value);
  if (node.type_name == kOnlyLossCounts)
    std::erase_if(node.children, [](const TreeChild& child) { return child.step != ".loss"; });
  return node;
}

std::string Join(const std::string& path, const std::string& step) {
  return path.empty() && step.starts_with('.') ? step.substr(1) : path + step;
}

std::string KindOf(const c10::IValue& value) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) return "None";
  if (value.isTensor()) return "tensor";
  if (value.isDouble()) return "float";
  if (value.isComplexDouble()) return "complex";
  if (value.isInt()) return "int";
  if (value.isBool()) return "bool";
  if (value.isString()) return "str";
  if (value.isDevice()) return "device";
  if (value.isList()) return "list";
  if (value.isTuple()) return "tuple";
  if (value.isGenericDict()) return "dict";
  if (value.isObject()) return "object " + OpenNode(value).type_name;
  return value.tagKind();
}

std::optional<at::Tensor> NumbersOf(const c10::IValue& leaf, bool from_fp64) {
  if (leaf.isTensor()) {
    if (!leaf.toTensor().defined()) return std::nullopt;
    return leaf.toTensor();
  }
  if (!leaf.isDouble() && !leaf.isComplexDouble()) return std::nullopt;
  at::ScalarType dtype = from_fp64 ? at::kDouble : c10::get_default_dtype_as_scalartype();
  if (leaf.isComplexDouble()) dtype = c10::toComplexType(dtype);
  return at::scalar_tensor(leaf.toScalar(), dtype);
}

}  // namespace culprit::compare
