// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/pooling.h"

namespace culprit::compiler::lower {
namespace {

int64_t At(const Sizes& numbers, size_t i) {
  return numbers.size() == 1 ? numbers[0] : numbers[i];
}

/// How many places of a window count.
Expr Count(LoopBuilder& loop, const Window& window, Expr number, bool includes_padding) {
  const Expr begin = window.PlaceOf(loop, number, loop.Place(0));
  const Expr end = Min(begin + loop.Place(window.size), loop.Extent(window.input + window.padding));
  if (includes_padding) return end - begin;
  return Min(end, loop.Extent(window.input)) - Max(begin, loop.Place(0));
}

}  // namespace

Expr Window::PlaceOf(LoopBuilder& loop, Expr window, Expr element) const {
  return window * loop.Place(stride) + element * loop.Place(dilation) - loop.Place(padding);
}

Expr Window::IsInside(LoopBuilder& loop, Expr place) const {
  return And(place >= loop.Place(0), place < loop.Extent(input));
}

bool Window::StaysInside() const {
  return padding == 0 && (output - 1) * stride + (size - 1) * dilation < input;
}

Expr Window::CoveringWindow(LoopBuilder& loop, Expr place, Expr number) const {
  const Expr last = FloorDiv(place + loop.Place(padding), loop.Place(stride));
  return last - loop.Place(Covering() - 1) + number;
}

Expr Window::Covers(LoopBuilder& loop, Expr window, Expr place) const {
  const Expr exists = And(window >= loop.Place(0), window < loop.Extent(output));
  return And(exists, place < PlaceOf(loop, window, loop.Place(0)) + loop.Place(size));
}

Windows WindowsOf(const Call& call, const Sizes& input, const Sizes& output, size_t size, size_t stride,
                  size_t padding, std::optional<size_t> dilation) {
  const Sizes sizes = call.Ints(size);
  const Sizes strides = call.Ints(stride);
  const Sizes paddings = call.Ints(padding);
  const Sizes dilations = dilation ? call.Ints(*dilation) : Sizes{1};
  Windows windows;
  for (size_t i = 0; i < 2; ++i)
    windows[i] = {.size = At(sizes, i),
                  .stride = At(strides.empty() ? sizes : strides, i),
                  .padding = At(paddings, i),
                  .dilation = At(dilations, i),
                  .input = input[input.size() - 2 + i],
                  .output = output[output.size() - 2 + i]};
  return windows;
}

Indices WithLast(const Indices& indices, Expr row, Expr column) {
  Indices changed = indices;
  changed[changed.size() - 2] = row;
  changed[changed.size() - 1] = column;
  return changed;
}

Expr Divisor(const Call& call, LoopBuilder& loop, const Windows& windows, Expr row, Expr column,
             size_t include_padding, size_t override_divisor, Type type) {
  if (!call.IsNone(override_divisor)) return loop.Number(call.Number(override_divisor), type);
  const auto& [rows, columns] = windows;
  if (rows.StaysInside() && columns.StaysInside()) return loop.Number(rows.size * columns.size, type);
  const bool includes = call.Bool(include_padding);
  return (Count(loop, rows, row, includes) * Count(loop, columns, column, includes)).As(type);
}

}  // namespace culprit::compiler::lower
