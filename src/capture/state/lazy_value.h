// SPDX-License-Identifier: Apache-2.0
//
// What stands in registers and on the stack of the walk until an instruction looks at it. Values that are
// only carried along leave no guard.
#pragma once

#include <ATen/core/ivalue.h>

namespace culprit::capture {

/// A place in the state that the walk began in.
struct StatePlace {
  enum class Kind : uint8_t { kRegister, kStack };
  Kind kind = Kind::kRegister;
  /// Of the register.
  size_t frame = 0;
  size_t index = 0;
};

struct LazyValue : torch::CustomClassHolder {
  LazyValue(const StatePlace& place, int64_t plus) : place(place), plus(plus) {}
  StatePlace place;
  /// For a number: so much is added to it, without anybody looking.
  int64_t plus = 0;
};

inline c10::IValue MakeLazy(const StatePlace& place, int64_t plus = 0) {
  return c10::IValue::make_capsule(c10::make_intrusive<LazyValue>(place, plus));
}

/// Null if the value is none.
inline c10::intrusive_ptr<LazyValue> AsLazy(const c10::IValue& value) {
  if (!value.isCapsule()) return {};
  return c10::dynamic_intrusive_pointer_cast<LazyValue>(value.toCapsule());
}

}  // namespace culprit::capture
