// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "backend/backend.h"

namespace culprit::backends::native {

/// What code may depend on of an input: dtype, sizes and strides of a tensor, a number itself.
struct Layout {
  enum class Kind : uint8_t { kNumber, kStrided, kOtherTensor };
  Kind kind = Kind::kNumber;
  c10::IValue number = {};
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes = {};
  std::vector<int64_t> strides = {};
};

std::vector<Layout> LayoutsOf(const backend::Values& inputs);

bool LieAs(const backend::Values& inputs, const std::vector<Layout>& layouts);

}  // namespace culprit::backends::native
