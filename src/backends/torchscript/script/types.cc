// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/types.h"

#include "base/internal_error.h"

namespace culprit::backends::torchscript {
namespace {

using graph::SlotKind;
using graph::ValueKind;

c10::TypePtr Plain(SlotKind kind) {
  switch (kind) {
    case SlotKind::kTensor:
      return c10::TensorType::get();
    case SlotKind::kInt:
    case SlotKind::kDtype:
    case SlotKind::kLayout:
    case SlotKind::kMemoryFormat:
      return c10::IntType::get();
    case SlotKind::kFloat:
      return c10::FloatType::get();
    case SlotKind::kBool:
      return c10::BoolType::get();
    case SlotKind::kNumber:
      return c10::NumberType::get();
    case SlotKind::kString:
      return c10::StringType::get();
    case SlotKind::kDevice:
      return c10::DeviceObjType::get();
    case SlotKind::kGenerator:
      return c10::GeneratorType::get();
    case SlotKind::kList:
    case SlotKind::kUnsupported:
      break;
  }
  CULPRIT_CHECK(false, "a slot has no plain type");
  return nullptr;
}

}  // namespace

c10::TypePtr TypeOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kTensor:
      return c10::TensorType::get();
    case ValueKind::kTensorList:
      return c10::ListType::ofTensors();
    case ValueKind::kInt:
      return c10::IntType::get();
    case ValueKind::kIntList:
      return c10::ListType::ofInts();
    case ValueKind::kFloat:
      return c10::FloatType::get();
    case ValueKind::kBool:
      return c10::BoolType::get();
    case ValueKind::kNumber:
      return c10::NumberType::get();
    case ValueKind::kGenerator:
      return c10::GeneratorType::get();
  }
  CULPRIT_CHECK(false, "a value has no type");
  return nullptr;
}

c10::TypePtr TypeOf(const graph::Slot& slot) {
  c10::TypePtr type =
      slot.kind == SlotKind::kList ? c10::ListType::create(TypeOf(*slot.element)) : Plain(slot.kind);
  return slot.optional ? c10::OptionalType::create(type) : type;
}

}  // namespace culprit::backends::torchscript
