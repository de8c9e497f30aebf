// SPDX-License-Identifier: Apache-2.0
//
// What stands in a register of the walk until the program reads it. Values that are only carried along leave
// no guard.
#pragma once

#include <ATen/core/ivalue.h>

namespace culprit::capture {

struct Unread : torch::CustomClassHolder {
  Unread(size_t frame, size_t index) : frame(frame), index(index) {}
  size_t frame;
  size_t index;
};

inline c10::IValue MakeUnread(size_t frame, size_t index) {
  return c10::IValue::make_capsule(c10::make_intrusive<Unread>(frame, index));
}

/// Null if the value is none.
inline c10::intrusive_ptr<Unread> AsUnread(const c10::IValue& value) {
  if (!value.isCapsule()) return {};
  return c10::dynamic_intrusive_pointer_cast<Unread>(value.toCapsule());
}

}  // namespace culprit::capture
