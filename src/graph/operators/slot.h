// SPDX-License-Identifier: Apache-2.0
//
// A slot is a formal argument of an operator, reduced to what a graph needs to know of it. libtorch's own
// description (c10::Argument) says "int" for dtypes and layouts unless asked twice, and hides lists, options
// and fixed lengths in nested type objects.
#pragma once

#include <ATen/core/function_schema.h>

#include <cstdint>
#include <memory>
#include <string>

namespace culprit::graph {

enum class SlotKind : uint8_t {
  kTensor,
  kInt,
  kFloat,
  kBool,
  kNumber,  // Scalar: int, float, bool or complex, and the difference matters
  kString,
  kDevice,
  kGenerator,
  kDtype,
  kLayout,
  kMemoryFormat,
  kList,
  kUnsupported,  // storages, streams, objects: only None fits
};

struct Slot {
  SlotKind kind = SlotKind::kUnsupported;
  /// None is allowed.
  bool optional = false;
  /// For lists: what they hold.
  std::shared_ptr<const Slot> element = nullptr;
  /// For lists of fixed length, as in int[2]: a single element stands for that many; otherwise 0.
  int64_t fixed_length = 0;

  static Slot FromType(const c10::Type& type, int64_t fixed_length = 0);

  /// As in a schema: "Tensor?[]", "int[2]", "dtype?".
  std::string ToString() const;
};

}  // namespace culprit::graph
