// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/tensor_text.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/view_as_complex.h>
#include <fmt/format.h>

#include "graph/inputs/draw_in_range.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::model {
namespace {

struct ShortName {
  at::ScalarType dtype;
  std::string_view name;
  std::string_view torch_name;
};

constexpr ShortName kShortNames[] = {
    {at::kFloat, "f32", "float32"},
    {at::kDouble, "f64", "float64"},
    {at::kHalf, "f16", "float16"},
    {at::kBFloat16, "bf16", "bfloat16"},
    {at::kLong, "i64", "int64"},
    {at::kInt, "i32", "int32"},
    {at::kShort, "i16", "int16"},
    {at::kChar, "i8", "int8"},
    {at::kByte, "u8", "uint8"},
    {at::kBool, "b8", "bool"},
    {at::kComplexFloat, "c64", "complex64"},
    {at::kComplexDouble, "c128", "complex128"},
};

at::Tensor Filled(const TensorText& text, at::ScalarType dtype) {
  if (text.values.size() == 1) return at::empty(text.sizes, dtype).fill_(text.values[0]);
  at::Tensor tensor = at::empty({static_cast<int64_t>(text.values.size())}, dtype);
  for (size_t i = 0; i < text.values.size(); ++i) tensor[static_cast<int64_t>(i)].fill_(text.values[i]);
  return tensor.view(text.sizes);
}

at::Tensor Drawn(const TensorText& text, at::ScalarType dtype, uint64_t seed) {
  const bool floating = c10::isFloatingType(dtype);
  std::optional<graph::inputs::InputRange> range;
  if (text.below && floating) range = {graph::inputs::InputRange::Kind::kUnit};
  if (text.below && !floating) range = {graph::inputs::InputRange::Kind::kBelow, text.below->toLong()};
  int64_t count = 1;
  for (const int64_t size : text.sizes) count *= size;
  const int64_t bytes = count * static_cast<int64_t>(c10::elementSize(dtype));
  const auto contents = graph::inputs::DrawInRange(range, dtype, count, seed);
  const at::Tensor drawn = *graph::MakeContents(contents, bytes, nullptr);
  at::Tensor tensor = drawn.view(dtype).view(text.sizes);
  return text.below && floating ? tensor.mul_(*text.below) : tensor;
}

at::Tensor Laid(const at::Tensor& tensor, const TensorText& text) {
  if (text.transposed && tensor.dim() >= 2) return tensor.transpose(-1, -2).contiguous().transpose(-1, -2);
  return tensor.contiguous(text.format);
}

}  // namespace

std::optional<at::ScalarType> DtypeFromShortName(std::string_view name) {
  for (const ShortName& known : kShortNames) {
    if (name == known.name || name == known.torch_name) return known.dtype;
  }
  return std::nullopt;
}

std::string ShortDtypeNames() {
  std::string names;
  for (const ShortName& known : kShortNames)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  return names;
}

std::optional<int64_t> BytesOf(const TensorText& text) {
  int64_t bytes = static_cast<int64_t>(c10::elementSize(text.dtype));
  for (const int64_t size : text.sizes) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes;
}

at::Tensor MakeTensor(const TensorText& text, uint64_t seed) {
  const uint64_t chosen = text.seed.value_or(seed);
  at::Tensor numbers;
  if (text.has_values) {
    numbers = Filled(text, text.dtype);
  } else if (c10::isComplexType(text.dtype)) {
    // As two real numbers each, in the order of memory.
    TensorText parts = text;
    parts.sizes.push_back(2);
    numbers = at::view_as_complex(Drawn(parts, c10::toRealValueType(text.dtype), chosen));
  } else {
    numbers = Drawn(text, text.dtype, chosen);
  }
  const at::Tensor laid = Laid(numbers, text);
  // A tensor that autograd does not take for a view of another.
  return graph::TensorOn(laid.storage(), graph::Geometry::Of(laid)).requires_grad_(text.requires_grad);
}

}  // namespace culprit::model
