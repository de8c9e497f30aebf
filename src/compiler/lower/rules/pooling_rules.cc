// SPDX-License-Identifier: Apache-2.0
//
// Pooling over the last two dimensions: the windows are what is reduced.
#include "compiler/lower/patterns/pooling.h"

#include <limits>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/reduction.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

struct Element {
  Indices place;
  /// Nothing if it always is.
  std::optional<Expr> is_inside;
};

Element InWindow(LoopBuilder& loop, const Windows& windows) {
  const size_t dimensions = loop.sizes().size();
  const Expr row = windows[0].PlaceOf(loop, loop.Variable(dimensions - 2), loop.Variable(dimensions));
  const Expr column = windows[1].PlaceOf(loop, loop.Variable(dimensions - 1), loop.Variable(dimensions + 1));
  Element element{WithLast(loop.Variables(), row, column), std::nullopt};
  if (!windows[0].StaysInside() || !windows[1].StaysInside())
    element.is_inside = And(windows[0].IsInside(loop, row), windows[1].IsInside(loop, column));
  return element;
}

std::shared_ptr<loops::Loop> LargestLoop(Call& call, const Windows& windows, Combine combine) {
  LoopBuilder loop = call.LoopOver(0, {windows[0].size, windows[1].size});
  const auto [place, is_inside] = InWindow(loop, windows);
  if (!is_inside) return loop.Reduction(combine, loop.Load(call.Tensor(0), place));
  const Expr x = loop.Load(call.Tensor(0), place, *is_inside);
  return loop.Reduction(combine, Select(*is_inside, x, x.Like(-std::numeric_limits<double>::infinity())));
}

/// The place itself, or the first of its window that is inside.
Expr MovedInside(LoopBuilder& loop, const Window& window, Expr place) {
  const Expr zero = loop.Place(0);
  const Expr moved = window.dilation == 1
                         ? Max(place, zero)
                         : Select(place < zero, Remainder(place, loop.Place(window.dilation)), place);
  return Min(moved, loop.Extent(window.input - 1));
}

/// From the number of an element in its window to its place in the plane of the input. If nothing in a window
/// is larger than the padding, that is -inf, the number may be one of the padding: the place is inside all
/// the same, since backward writes there.
void DefinePlaces(Call& call, const Windows& windows) {
  const ValueIndex number =
      call.Helper("place", call.Result(0).sizes, LargestLoop(call, windows, Combine::kArgMaxLastNan));
  LoopBuilder loop = call.LoopOver(1);
  const size_t dimensions = loop.sizes().size();
  const Expr which = loop.Load(number, loop.Variables());
  const auto inside = [&](const Window& window, Expr output, Expr element) {
    return MovedInside(loop, window, window.PlaceOf(loop, output, element));
  };
  const Expr width = loop.Place(windows[1].size);
  const Expr row = inside(windows[0], loop.Variable(dimensions - 2), FloorDiv(which, width));
  const Expr column = inside(windows[1], loop.Variable(dimensions - 1), Remainder(which, width));
  call.DefineEach(1, loop, row * loop.Extent(windows[1].input) + column);
}

bool MaxPool(Call& call) {
  const Windows windows = WindowsOf(call, call.Described(0).sizes, call.Result().sizes, 1, 2, 3, 4);
  call.DefineCombined(0, "max", LargestLoop(call, windows, Combine::kMax));
  DefinePlaces(call, windows);
  return true;
}

bool AveragePool(Call& call) {
  const Windows windows = WindowsOf(call, call.Described(0).sizes, call.Result().sizes, 1, 2, 3);
  LoopBuilder sums = call.LoopOver(0, {windows[0].size, windows[1].size});
  const auto [place, is_inside] = InWindow(sums, windows);
  const Expr x = is_inside ? sums.Load(call.Tensor(0), place, *is_inside) : sums.Load(call.Tensor(0), place);
  const ValueIndex sum = call.Helper("sum", call.Result().sizes, sums.Reduction(Combine::kSum, x));
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const Expr divisor = Divisor(call, loop, windows, at[at.size() - 2], at.back(), 5, 6, x.type());
  call.DefineEach(0, loop, loop.Load(sum, at) / divisor);
  return true;
}

/// Only where all windows are of one size.
bool AdaptiveAveragePool(Call& call) {
  const Sizes& input = call.Described(0).sizes;
  const Sizes& output = call.Result().sizes;
  const size_t last = input.size() - 1;
  if (Product(output) == 0 || input[last] % output[last] != 0 || input[last - 1] % output[last - 1] != 0)
    return false;
  const int64_t rows = input[last - 1] / output[last - 1];
  const int64_t columns = input[last] / output[last];
  LoopBuilder sums = call.LoopOver(0, {rows, columns});
  Indices place = sums.Variables();
  place = WithLast(place, place[last - 1] * sums.Extent(rows) + sums.Variable(last + 1),
                   place[last] * sums.Extent(columns) + sums.Variable(last + 2));
  const Expr x = sums.Load(call.Tensor(0), place);
  const ValueIndex sum = call.Helper("sum", output, sums.Reduction(Combine::kSum, x));
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.Load(sum, loop.Variables()) / loop.Extent(rows * columns, x.type()));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::max_pool2d_with_indices", MaxPool, "and where the first largest or the last NaN is", kFloats},
    {"aten::avg_pool2d", AveragePool, "", kFloats},
    {"aten::_adaptive_avg_pool2d", AdaptiveAveragePool, "where all windows are of one size", kFloats},
};

}  // namespace

std::span<const LoweringRule> PoolingRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
