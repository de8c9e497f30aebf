// SPDX-License-Identifier: Apache-2.0
//
// Numbers that a reader takes in at a glance and a file can say in a few words, simplest first. They fill the
// memory of a tensor, so that sizes and strides stay what they are.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace culprit::minify {

enum class Fill : uint8_t {
  kZeros,
  kOnes,
  /// From -3 to 3, drawn from a seed.
  kSmallIntegers,
  /// Standard normal numbers from a seed.
  kNormal,
  /// The tensor's own, to one digit.
  kRounded,
};
constexpr Fill kFills[] = {Fill::kZeros, Fill::kOnes, Fill::kSmallIntegers, Fill::kNormal, Fill::kRounded};

/// 0 for what is filled with zeros or has no elements, 1 for ones ...; the largest for tensors that are not
/// plain.
size_t ContentsComplexity(const at::Tensor& tensor);

/// A tensor of the same geometry, dtype and gradness. Nothing if the tensor cannot be filled so, or is as
/// simple already. `number` tells tensors of one program apart: they get different seeds.
std::optional<at::Tensor> Filled(const at::Tensor& tensor, Fill fill, size_t number);

}  // namespace culprit::minify
