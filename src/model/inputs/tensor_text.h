// SPDX-License-Identifier: Apache-2.0
//
// What the text of one tensor says (model/inputs/input_text.h), and the tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace culprit::model {

struct TensorText {
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes;
  /// Numbers are drawn from [0, below); without it as graph/inputs/draw_in_range.h draws them.
  std::optional<at::Scalar> below;
  /// Instead of drawn numbers: one for all elements, or one for each in row-major order.
  std::vector<at::Scalar> values;
  bool has_values = false;
  std::optional<uint64_t> seed;
  at::MemoryFormat format = at::MemoryFormat::Contiguous;
  /// Lies in memory as its transpose would.
  bool transposed = false;
  bool requires_grad = false;
};

/// "f32", "float32", "i64", "bool" ...
std::optional<at::ScalarType> DtypeFromShortName(std::string_view name);

/// All of them with commas, for messages.
std::string ShortDtypeNames();

/// Nothing on overflow.
std::optional<int64_t> BytesOf(const TensorText& text);

/// `seed` is for texts without their own. Throws what libtorch throws.
at::Tensor MakeTensor(const TensorText& text, uint64_t seed);

}  // namespace culprit::model
