// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/value_kind.h"

#include <array>
#include <utility>

namespace culprit::graph {
namespace {

constexpr std::array<std::pair<ValueKind, std::string_view>, 8> kNames = {{
    {ValueKind::kTensor, "Tensor"},
    {ValueKind::kTensorList, "Tensor[]"},
    {ValueKind::kInt, "int"},
    {ValueKind::kIntList, "int[]"},
    {ValueKind::kFloat, "float"},
    {ValueKind::kBool, "bool"},
    {ValueKind::kNumber, "number"},
    {ValueKind::kGenerator, "Generator"},
}};

}  // namespace

std::string_view ToString(ValueKind kind) {
  for (const auto& [candidate, name] : kNames) {
    if (candidate == kind) return name;
  }
  return "unknown";
}

std::optional<ValueKind> ValueKindFromString(std::string_view text) {
  for (const auto& [kind, name] : kNames) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

std::optional<ValueKind> KindOfResult(const Slot& slot) {
  switch (slot.kind) {
    case SlotKind::kTensor:
      return ValueKind::kTensor;
    case SlotKind::kInt:
    case SlotKind::kDtype:
    case SlotKind::kLayout:
      return ValueKind::kInt;
    case SlotKind::kFloat:
      return ValueKind::kFloat;
    case SlotKind::kBool:
      return ValueKind::kBool;
    case SlotKind::kNumber:
      return ValueKind::kNumber;
    case SlotKind::kList:
      if (slot.element->kind == SlotKind::kTensor) return ValueKind::kTensorList;
      if (slot.element->kind == SlotKind::kInt) return ValueKind::kIntList;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace culprit::graph
