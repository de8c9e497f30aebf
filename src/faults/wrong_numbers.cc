// SPDX-License-Identifier: Apache-2.0
#include "faults/wrong_numbers.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

namespace culprit::faults {
namespace {

at::Tensor FirstElementOf(at::Tensor tensor) {
  while (tensor.dim() > 0) tensor = tensor.select(0, 0);
  return tensor;
}

at::ScalarType OtherDtype(at::ScalarType dtype) {
  switch (dtype) {
    case at::kDouble:
    case at::kHalf:
    case at::kBFloat16:
      return at::kFloat;
    case at::kFloat:
      return at::kDouble;
    case at::kComplexDouble:
      return at::kComplexFloat;
    case at::kComplexFloat:
    case at::kComplexHalf:
      return at::kComplexDouble;
    case at::kLong:
      return at::kInt;
    default:
      return at::kLong;
  }
}

}  // namespace

at::Tensor OffByMuch(const at::Tensor& tensor) {
  if (tensor.is_quantized()) return tensor;
  if (tensor.scalar_type() == at::kBool) return tensor.logical_not();
  if (tensor.layout() != at::kStrided) return tensor.mul(1 + kOff);
  if (!tensor.is_floating_point() && !tensor.is_complex()) return tensor.add(1);
  return tensor.add(tensor.abs().add(1).mul(kOff));
}

at::Tensor WithNan(const at::Tensor& tensor) {
  const bool can_be_nan = tensor.is_floating_point() || tensor.is_complex();
  if (!can_be_nan || tensor.layout() != at::kStrided || tensor.numel() == 0) return tensor;
  const at::Tensor zeros_and_nan = at::zeros_like(tensor.detach());
  FirstElementOf(zeros_and_nan).fill_(std::numeric_limits<double>::quiet_NaN());
  return tensor.add(zeros_and_nan);
}

at::Tensor OfOtherShape(const at::Tensor& tensor) {
  return tensor.unsqueeze(-1);
}

at::Tensor OfOtherDtype(const at::Tensor& tensor) {
  if (tensor.is_quantized()) return tensor.dequantize();
  return tensor.to(OtherDtype(tensor.scalar_type()));
}

at::Tensor WithWrongGradient(const at::Tensor& tensor) {
  if (tensor.requires_grad())
    tensor.register_hook([](const at::Tensor& gradient) { return OffByMuch(gradient); });
  return tensor;
}

void Scribble(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return;
  const at::NoGradGuard no_grad;
  // Has a version counter of its own.
  at::Tensor memory = tensor.variable_data();
  if (at::has_internal_overlap(memory) != at::MemOverlap::No) memory = FirstElementOf(memory);
  memory.copy_(OffByMuch(memory));
}

}  // namespace culprit::faults
