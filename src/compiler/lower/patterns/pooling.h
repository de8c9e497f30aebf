// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "compiler/lower/call.h"

namespace culprit::compiler::lower {

/// How windows lie along one dimension: `stride` apart, the first `padding` places before the tensor.
struct Window {
  int64_t size = 0;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t input = 0;
  int64_t output = 0;

  /// Where an element of a window is in the input; it may be in the padding.
  Expr PlaceOf(LoopBuilder& loop, Expr window, Expr element) const;
  Expr IsInside(LoopBuilder& loop, Expr place) const;
  /// Whether no window reaches beyond the input.
  bool StaysInside() const;

  /// The windows that have a place (without dilation): one for each number below `Covering()`, if it exists
  /// and reaches that far. They ascend: eager adds them up in this order.
  int64_t Covering() const { return (size + stride - 1) / stride; }
  Expr CoveringWindow(LoopBuilder& loop, Expr place, Expr number) const;
  Expr Covers(LoopBuilder& loop, Expr window, Expr place) const;
};

/// Of the last two dimensions.
using Windows = std::array<Window, 2>;

/// From lists of one or two numbers in these arguments; no stride is the size.
Windows WindowsOf(const Call& call, const Sizes& input, const Sizes& output, size_t size, size_t stride,
                  size_t padding, std::optional<size_t> dilation = std::nullopt);

/// The indices with the last two exchanged for others.
Indices WithLast(const Indices& indices, Expr row, Expr column);

/// What the sum of a window is divided by, as avg_pool2d counts: all places, or those of the input, or those
/// up to the end of the padding.
Expr Divisor(const Call& call, LoopBuilder& loop, const Windows& windows, Expr row, Expr column,
             size_t include_padding, size_t override_divisor, Type type);

}  // namespace culprit::compiler::lower
