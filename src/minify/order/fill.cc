// SPDX-License-Identifier: Apache-2.0
#include "minify/order/fill.h"

#include <ATen/ops/full.h>
#include <ATen/ops/pow.h>

#include <cstring>
#include <span>

#include "graph/tensors/recognise_seeded.h"
#include "graph/tensors/tensor_copy.h"
#include "minify/program/leaves.h"

namespace culprit::minify {
namespace {

/// The memory from the first element to the last, as a vector of real numbers; nothing if it has none.
std::optional<at::Tensor> MemoryOf(const at::Tensor& tensor) {
  if (!graph::IsPlain(tensor) || !tensor.device().is_cpu() || tensor.numel() == 0) return std::nullopt;
  graph::Geometry geometry = graph::Geometry::Of(tensor);
  geometry.conjugated = geometry.negated = false;
  const auto bytes = static_cast<int64_t>(graph::ReachedBytes(geometry));
  if (tensor.is_complex()) geometry.dtype = c10::toRealValueType(geometry.dtype);
  const auto item = static_cast<int64_t>(c10::elementSize(geometry.dtype));
  geometry.offset = tensor.storage_offset() * (tensor.is_complex() ? 2 : 1);
  geometry.sizes = {bytes / item - geometry.offset};
  geometry.strides = {1};
  return graph::TensorOn(tensor.storage(), geometry);
}

/// Most tensors differ at once.
bool IsAll(const at::Tensor& memory, int number) {
  return memory[0].eq(number).item<bool>() && memory.eq(number).all().item<bool>();
}

std::optional<graph::SeededNumbers> SeededIn(const at::Tensor& memory) {
  const std::span bytes(static_cast<const std::byte*>(memory.data_ptr()), memory.nbytes());
  return graph::RecogniseSeeded(bytes, memory.scalar_type());
}

/// To one significant digit.
at::Tensor Rounded(const at::Tensor& memory) {
  const at::Tensor wide = memory.to(at::kDouble);
  const at::Tensor unit = at::pow(10, wide.abs().log10().floor());
  const at::Tensor rounded = wide.div(unit).round().mul(unit);
  // Zero, infinity and NaN have no digits.
  return rounded.where(rounded.isfinite(), wide).to(memory.scalar_type());
}

bool IsRound(const at::Tensor& memory) {
  const at::Tensor first = memory.narrow(0, 0, 1);
  return memory.is_floating_point() && first.equal(Rounded(first)) && memory.equal(Rounded(memory));
}

std::optional<at::Tensor> Numbers(const at::Tensor& memory, Fill fill, uint64_t seed) {
  const at::ScalarType dtype = memory.scalar_type();
  switch (fill) {
    case Fill::kZeros:
      return at::full(memory.sizes(), 0, dtype);
    case Fill::kOnes:
      return at::full(memory.sizes(), 1, dtype);
    case Fill::kSmallIntegers:
      return graph::Draw(graph::SmallIntegers(dtype, memory.numel(), seed));
    case Fill::kNormal: {
      const std::optional<graph::SeededNumbers> normal = graph::NormalNumbers(dtype, memory.numel(), seed);
      return normal ? std::optional(graph::Draw(*normal)) : std::nullopt;
    }
    case Fill::kRounded:
      return c10::isFloatingType(dtype) ? std::optional(Rounded(memory)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

size_t ContentsComplexity(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  const std::optional<at::Tensor> memory = MemoryOf(tensor);
  if (!memory) return std::size(kFills);
  if (IsAll(*memory, 0)) return 0;
  if (IsAll(*memory, 1)) return 1;
  if (const std::optional<graph::SeededNumbers> seeded = SeededIn(*memory))
    return static_cast<size_t>(seeded->kind == graph::SeededNumbers::Kind::kInteger ? Fill::kSmallIntegers
                                                                                    : Fill::kNormal);
  return IsRound(*memory) ? static_cast<size_t>(Fill::kRounded) : std::size(kFills);
}

std::optional<at::Tensor> Filled(const at::Tensor& tensor, Fill fill, size_t number) {
  const std::optional<at::Tensor> memory = MemoryOf(tensor);
  if (!memory || ContentsComplexity(tensor) <= static_cast<size_t>(fill)) return std::nullopt;
  const std::optional<at::Tensor> numbers = Numbers(*memory, fill, 1 + number % graph::kKnownSeeds);
  if (!numbers) return std::nullopt;
  graph::Geometry geometry = graph::Geometry::Of(tensor);
  geometry.offset = 0;
  return WithGradnessOf(graph::TensorOn(numbers->storage(), geometry), tensor);
}

}  // namespace culprit::minify
