// SPDX-License-Identifier: Apache-2.0
//
// Gradients of pooling. Eager scatters; here each place of the input gathers from the windows that have it,
// so that iterations are independent.
#include <algorithm>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/pooling.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;

/// In a loop over the input, with the windows that may cover a place as what is reduced.
struct Covering {
  Expr row;
  Expr column;
  Expr covers;
};

Covering CoveringWindows(LoopBuilder& loop, const Windows& windows) {
  const size_t dimensions = loop.sizes().size();
  const auto along = [&](const Window& window, size_t dimension, size_t reduced) {
    return window.CoveringWindow(loop, loop.Variable(dimension), loop.Variable(reduced));
  };
  const Expr row = along(windows[0], dimensions - 2, dimensions);
  const Expr column = along(windows[1], dimensions - 1, dimensions + 1);
  return {row, column,
          And(windows[0].Covers(loop, row, loop.Variable(dimensions - 2)),
              windows[1].Covers(loop, column, loop.Variable(dimensions - 1)))};
}

/// Whether the places are those that max_pool2d_with_indices has found with the same arguments. Places from
/// elsewhere may be anywhere in the plane, and eager scatters to them.
bool HasPlacesOfItsPooling(const Call& call) {
  const graph::Node& backward = call.node();
  if (!backward.arguments[7].is_value()) return false;
  const graph::Value& places = call.graph().value(backward.arguments[7].value());
  if (places.origin != graph::Origin::kNode) return false;
  const graph::Node& forward = call.graph().nodes()[places.origin_index];
  if (forward.op->qualified_name() != "aten::max_pool2d_with_indices") return false;
  // The input, then how the windows lie.
  return std::equal(forward.arguments.begin(), forward.arguments.end(), backward.arguments.begin() + 1);
}

bool MaxPoolBackward(Call& call) {
  if (!HasPlacesOfItsPooling(call)) return false;
  const Sizes dilations = call.Ints(5);
  for (const int64_t dilation : dilations)
    if (dilation != 1) return false;
  const Windows windows = WindowsOf(call, call.Result().sizes, call.Described(0).sizes, 2, 3, 4);
  LoopBuilder loop = call.LoopOver(0, {windows[0].Covering(), windows[1].Covering()});
  const Indices at = loop.Variables();
  const auto [row, column, covers] = CoveringWindows(loop, windows);
  const Indices window = WithLast(at, row, column);
  const Expr place = at[at.size() - 2] * loop.Extent(windows[1].input) + at.back();
  const Expr is_largest = And(covers, Equal(loop.Load(call.Tensor(7), window, covers), place));
  const Expr g = loop.Load(call.Tensor(0), window, is_largest);
  call.DefineCombined(0, "sum", loop.Reduction(Combine::kSum, g));
  return true;
}

bool AveragePoolBackward(Call& call) {
  const Windows windows = WindowsOf(call, call.Result().sizes, call.Described(0).sizes, 2, 3, 4);
  LoopBuilder loop = call.LoopOver(0, {windows[0].Covering(), windows[1].Covering()});
  const auto [row, column, covers] = CoveringWindows(loop, windows);
  const Expr g = loop.Load(call.Tensor(0), WithLast(loop.Variables(), row, column), covers);
  const Expr divisor = Divisor(call, loop, windows, row, column, 6, 7, g.type());
  // Windows that do not exist may have nothing to divide by.
  call.DefineCombined(0, "sum", loop.Reduction(Combine::kSum, Select(covers, g / divisor, g.Like(0))));
  return true;
}

bool AdaptiveAveragePoolBackward(Call& call) {
  const Sizes& input = call.Result().sizes;
  const Sizes& output = call.Described(0).sizes;
  const size_t last = input.size() - 1;
  if (Product(output) == 0 || input[last] % output[last] != 0 || input[last - 1] % output[last - 1] != 0)
    return false;
  const int64_t rows = input[last - 1] / output[last - 1];
  const int64_t columns = input[last] / output[last];
  if (rows == 0 || columns == 0) return false;
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const auto window = [&](size_t i, int64_t size) {
    return output[i] == 1 ? loop.Place(0) : FloorDiv(at[i], loop.Extent(size));
  };
  const Expr g = loop.Load(call.Tensor(0), WithLast(at, window(last - 1, rows), window(last, columns)));
  call.DefineEach(0, loop, g / loop.Extent(rows * columns, g.type()));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::max_pool2d_with_indices_backward", MaxPoolBackward,
     "in the graph of its pooling, without dilation", kFloats},
    {"aten::avg_pool2d_backward", AveragePoolBackward, "", kFloats},
    {"aten::_adaptive_avg_pool2d_backward", AdaptiveAveragePoolBackward, "where all windows are of one size",
     kFloats},
};

}  // namespace

std::span<const LoweringRule> PoolingBackwardRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
