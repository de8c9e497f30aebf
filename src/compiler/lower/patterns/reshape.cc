// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/reshape.h"

#include <span>

#include "base/internal_error.h"

namespace culprit::compiler::lower {
namespace {

/// A dimension whose index is not known to be 0.
struct Dimension {
  size_t place = 0;
  int64_t size = 0;
};

std::vector<Dimension> LargeDimensions(const Sizes& sizes) {
  std::vector<Dimension> large;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 1) large.push_back({i, sizes[i]});
  return large;
}

/// So many dimensions from the front, on both sides, that have as many elements, and no fewer do.
struct Group {
  size_t shape = 0;
  size_t source = 0;
};

Group FirstGroup(const std::vector<Dimension>& shape, size_t shape_begin,
                 const std::vector<Dimension>& source, size_t source_begin) {
  Group group = {1, 1};
  int64_t in_shape = shape[shape_begin].size;
  int64_t in_source = source[source_begin].size;
  while (in_shape != in_source) {
    if (in_shape < in_source)
      in_shape *= shape[shape_begin + group.shape++].size;
    else
      in_source *= source[source_begin + group.source++].size;
  }
  return group;
}

Expr Linear(LoopBuilder& loop, std::span<const Dimension> dimensions, const Indices& indices) {
  Expr linear = indices[dimensions[0].place];
  for (const Dimension& dimension : dimensions.subspan(1))
    linear = linear * loop.Extent(dimension.size) + indices[dimension.place];
  return linear;
}

void Split(LoopBuilder& loop, Expr linear, std::span<const Dimension> dimensions, Indices& indices) {
  int64_t behind = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    const auto [place, size] = dimensions[i];
    Expr index = behind == 1 ? linear : FloorDiv(linear, loop.Extent(behind));
    if (i > 0) index = Remainder(index, loop.Extent(size));
    indices[place] = index;
    behind *= size;
  }
}

}  // namespace

Indices ReshapedIndices(LoopBuilder& loop, const Sizes& shape, const Indices& indices, const Sizes& source) {
  CULPRIT_CHECK(Product(shape) == Product(source), "{} elements become {}", Product(source), Product(shape));
  Indices result(source.size(), loop.Place(0));
  if (Product(shape) <= 1) return result;
  const std::vector<Dimension> from = LargeDimensions(shape);
  const std::vector<Dimension> to = LargeDimensions(source);
  size_t i = 0;
  size_t j = 0;
  while (i < from.size()) {
    const Group group = FirstGroup(from, i, to, j);
    const Expr linear = Linear(loop, std::span(from).subspan(i, group.shape), indices);
    Split(loop, linear, std::span(to).subspan(j, group.source), result);
    i += group.shape;
    j += group.source;
  }
  return result;
}

}  // namespace culprit::compiler::lower
