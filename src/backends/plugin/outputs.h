// SPDX-License-Identifier: Apache-2.0
//
// The outputs of one call of a plug-in, made one by one as it asks for them. Every function checks what it is
// asked for and throws a message for the author of the plug-in.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "culprit/backend.h"

namespace culprit::backends::plugin {

class Outputs {
 public:
  /// `inputs` stays valid until the outputs are taken.
  Outputs(const backend::Values& inputs, size_t count) : inputs_(inputs), made_(count) {}

  // As in CulpritHost.
  void* Allocate(uint32_t output, int32_t dtype, int32_t ndim, const int64_t* sizes, const int64_t* strides);
  void ShareWhole(uint32_t output, int32_t of, uint32_t index);
  void Share(uint32_t output, int32_t of, uint32_t index, at::IntArrayRef sizes, at::IntArrayRef strides,
             int64_t offset);
  void Set(uint32_t output, const CulpritArgument& value);

  /// Throws if one is missing.
  backend::Values Take() &&;

 private:
  std::optional<c10::IValue>& Unmade(uint32_t output);
  const at::Tensor& Source(int32_t of, uint32_t index) const;

  const backend::Values& inputs_;
  std::vector<std::optional<c10::IValue>> made_;
  // What an output without elements has instead of an address.
  char nothing_ = 0;
};

/// Throws on a number of dimensions, or a size, that no tensor has.
at::IntArrayRef CheckedShape(int32_t ndim, const int64_t* sizes);

}  // namespace culprit::backends::plugin
