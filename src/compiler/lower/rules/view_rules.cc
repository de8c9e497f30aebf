// SPDX-License-Identifier: Apache-2.0
//
// Operators that show the elements of a tensor in other places: each says where an element of the result is
// in the operand. Whether the result is a view or a copy makes no difference here.
#include <ATen/TensorUtils.h>
#include <ATen/WrapDimUtils.h>

#include "compiler/lower/patterns/reshape.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

/// `place(loop)` gives the indices into the operand.
template <typename Place>
bool View(Call& call, const Place& place) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), place(loop)));
  return true;
}

bool Same(Call& call) {
  return View(call, [](LoopBuilder& loop) { return loop.Variables(); });
}

bool Reshape(Call& call) {
  return View(call, [&](LoopBuilder& loop) {
    return ReshapedIndices(loop, loop.sizes(), loop.Variables(), call.Described(0).sizes);
  });
}

/// Only with the strides that show the same elements in the same order.
bool ReshapeAlias(Call& call) {
  const loops::Value& x = call.Described(0);
  const auto strides = at::detail::computeStride(x.sizes, x.strides, call.Result().sizes);
  return strides && *strides == call.Result().strides && Reshape(call);
}

/// `order[i]` is the dimension of the operand that dimension i of the result is.
bool PermuteBy(Call& call, const std::vector<size_t>& order) {
  return View(call, [&](LoopBuilder& loop) {
    Indices indices(order.size());
    for (size_t i = 0; i < order.size(); ++i) indices[order[i]] = loop.Variable(i);
    return indices;
  });
}

bool Permute(Call& call) {
  std::vector<size_t> order;
  const Sizes given = call.Ints(1);
  for (const int64_t dimension : given)
    order.push_back(static_cast<size_t>(at::maybe_wrap_dim(dimension, static_cast<int64_t>(given.size()))));
  return PermuteBy(call, order);
}

bool SwapDimensions(Call& call, size_t a, size_t b) {
  std::vector<size_t> order(call.Described(0).sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (!order.empty()) std::swap(order[a], order[b]);
  return PermuteBy(call, order);
}

bool Transpose(Call& call) {
  const size_t dimensions = call.Described(0).sizes.size();
  return SwapDimensions(call, call.Dimension(1, dimensions), call.Dimension(2, dimensions));
}

bool TransposeMatrix(Call& call) {
  const size_t dimensions = call.Described(0).sizes.size();
  return SwapDimensions(call, 0, dimensions < 2 ? 0 : 1);
}

bool Expand(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.LoadBroadcast(call.Tensor(0)));
  return true;
}

/// A number that is written as it is in the graph stays one; one that depends on sizes is a size.
Expr Position(Call& call, LoopBuilder& loop, size_t argument, int64_t position) {
  const bool is_written = !call.IsNone(argument) && call.node().arguments[argument].is_constant() &&
                          call.Int(argument) == position;
  return is_written ? loop.Place(position) : loop.Extent(position);
}

bool Slice(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  const size_t dimension = call.Dimension(1, sizes.size());
  int64_t start = call.IsNone(2) ? 0 : call.Int(2);
  if (start < 0) start += sizes[dimension];
  start = std::clamp<int64_t>(start, 0, sizes[dimension]);
  return View(call, [&](LoopBuilder& loop) {
    Indices indices = loop.Variables();
    indices[dimension] = indices[dimension] * loop.Place(call.Int(4)) + Position(call, loop, 2, start);
    return indices;
  });
}

bool SelectOne(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  const size_t dimension = call.Dimension(1, sizes.size());
  const int64_t index = call.Int(2) < 0 ? call.Int(2) + sizes[dimension] : call.Int(2);
  return View(call, [&](LoopBuilder& loop) {
    Indices indices = loop.Variables();
    indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(dimension), Position(call, loop, 2, index));
    return indices;
  });
}

bool Diagonal(Call& call) {
  const size_t dimensions = call.Described(0).sizes.size();
  const size_t first = call.Dimension(2, dimensions);
  const size_t second = call.Dimension(3, dimensions);
  const int64_t offset = call.Int(1);
  return View(call, [&](LoopBuilder& loop) {
    Indices indices(dimensions);
    size_t next = 0;
    for (size_t i = 0; i < dimensions; ++i)
      if (i != first && i != second) indices[i] = loop.Variable(next++);
    const Expr along = loop.Variable(next);
    indices[first] = along + loop.Place(std::max<int64_t>(-offset, 0));
    indices[second] = along + loop.Place(std::max<int64_t>(offset, 0));
    return indices;
  });
}

/// Windows of `size` elements, `step` apart: they become a dimension at the end.
bool Unfold(Call& call) {
  if (call.Described(0).sizes.empty()) return false;
  const size_t dimension = call.Dimension(1, call.Described(0).sizes.size());
  return View(call, [&](LoopBuilder& loop) {
    Indices indices = loop.Variables();
    const Expr inside = indices.back();
    indices.pop_back();
    indices[dimension] = indices[dimension] * loop.Place(call.Int(3)) + inside;
    return indices;
  });
}

constexpr LoweringRule kRules[] = {
    {"aten::alias", Same, ""},
    {"aten::detach", Same, ""},
    {"aten::lift_fresh", Same, ""},
    {"aten::view", Reshape, ""},
    {"aten::_unsafe_view", Reshape, ""},
    {"aten::reshape", Reshape, ""},
    {"aten::_reshape_alias", ReshapeAlias, "as a view does"},
    {"aten::view_copy", Reshape, ""},
    {"aten::unsqueeze", Reshape, ""},
    {"aten::squeeze", Reshape, ""},
    {"aten::squeeze.dim", Reshape, ""},
    {"aten::permute", Permute, ""},
    {"aten::transpose.int", Transpose, ""},
    {"aten::t", TransposeMatrix, ""},
    {"aten::expand", Expand, ""},
    {"aten::slice.Tensor", Slice, ""},
    {"aten::select.int", SelectOne, ""},
    {"aten::diagonal", Diagonal, ""},
    {"aten::unfold", Unfold, ""},
};

}  // namespace

std::span<const LoweringRule> ViewRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
