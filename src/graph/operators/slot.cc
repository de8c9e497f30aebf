// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/slot.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>

namespace culprit::graph {
namespace {

SlotKind ScalarSlotKind(c10::TypeKind kind) {
  switch (kind) {
    case c10::TypeKind::TensorType:
      return SlotKind::kTensor;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return SlotKind::kInt;
    case c10::TypeKind::FloatType:
      return SlotKind::kFloat;
    case c10::TypeKind::BoolType:
      return SlotKind::kBool;
    case c10::TypeKind::NumberType:
      return SlotKind::kNumber;
    case c10::TypeKind::StringType:
      return SlotKind::kString;
    case c10::TypeKind::DeviceObjType:
      return SlotKind::kDevice;
    case c10::TypeKind::GeneratorType:
      return SlotKind::kGenerator;
    case c10::TypeKind::ScalarTypeType:
      return SlotKind::kDtype;
    case c10::TypeKind::LayoutType:
      return SlotKind::kLayout;
    case c10::TypeKind::MemoryFormatType:
      return SlotKind::kMemoryFormat;
    default:
      return SlotKind::kUnsupported;
  }
}

const char* KindName(SlotKind kind) {
  switch (kind) {
    case SlotKind::kTensor:
      return "Tensor";
    case SlotKind::kInt:
      return "int";
    case SlotKind::kFloat:
      return "float";
    case SlotKind::kBool:
      return "bool";
    case SlotKind::kNumber:
      return "number";
    case SlotKind::kString:
      return "str";
    case SlotKind::kDevice:
      return "device";
    case SlotKind::kGenerator:
      return "Generator";
    case SlotKind::kDtype:
      return "dtype";
    case SlotKind::kLayout:
      return "layout";
    case SlotKind::kMemoryFormat:
      return "memory_format";
    case SlotKind::kList:
      return "list";
    case SlotKind::kUnsupported:
      return "unsupported";
  }
  return "unsupported";
}

}  // namespace

Slot Slot::FromType(const c10::Type& type, int64_t fixed_length) {
  if (const auto optional = type.cast<c10::OptionalType>()) {
    Slot slot = FromType(*optional->getElementType(), fixed_length);
    slot.optional = true;
    return slot;
  }
  if (const auto list = type.cast<c10::ListType>()) {
    auto element = std::make_shared<const Slot>(FromType(*list->getElementType()));
    return {.kind = SlotKind::kList, .element = std::move(element), .fixed_length = fixed_length};
  }
  return {.kind = ScalarSlotKind(type.kind())};
}

std::string Slot::ToString() const {
  std::string text = KindName(kind);
  if (kind == SlotKind::kList) {
    const std::string length = fixed_length > 0 ? std::to_string(fixed_length) : "";
    text = fmt::format("{}[{}]", element->ToString(), length);
  }
  return optional ? text + "?" : text;
}

}  // namespace culprit::graph
