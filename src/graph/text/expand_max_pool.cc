// SPDX-License-Identifier: Apache-2.0
//
// Inductor's low-memory max pooling. Instead of the index of a window's maximum in the input it saves, in 8
// bits, where in the window the maximum was; the backward turns that into an index again.
//
//   window at (i, j) of the output, kernel 3 x 3, maximum in its second row, first column: offset 1 * 3 + 0
//
// A window's corner comes from a cumulative sum of ones, which needs no sizes and no device.
#include <fmt/format.h>

#include "graph/text/expansions.h"

namespace culprit::graph::text {
namespace {

struct Windows {
  Argument::List stride, padding, dilation;
};

int64_t DimensionFromBack(size_t dim, size_t rank) {
  return static_cast<int64_t>(dim) - static_cast<int64_t>(rank);
}

base::Result<Argument::List> ListOf(const Argument& argument, size_t length, std::string_view what) {
  if (argument.is_list() && argument.list().size() == length) return argument.list();
  return base::Diagnostic{{}, fmt::format("argument '{}' must be a list of {} elements", what, length)};
}

// For each window its corner in one dimension: position * stride - padding.
base::Result<Argument> Corners(const Argument& output, const Windows& windows, size_t dim, Emitter& emitter) {
  const int64_t from_back = DimensionFromBack(dim, windows.stride.size());
  const Argument ones = CULPRIT_TRY(emitter.EmitOne("aten::ones_like", {output}));
  const Argument count = CULPRIT_TRY(emitter.EmitOne("aten::cumsum", {ones, Constant(from_back)}));
  const Argument position = CULPRIT_TRY(emitter.EmitOne("aten::sub.Scalar", {count, Constant(1)}));
  const Argument padded = CULPRIT_TRY(emitter.EmitOne("aten::mul.Scalar", {position, windows.stride[dim]}));
  return emitter.EmitOne("aten::sub.Scalar", {padded, windows.padding[dim]});
}

// row * width + column, for any number of dimensions; widths[0] is not used.
base::Result<Argument> Flatten(const Argument::List& coordinates, const Argument::List& widths,
                               Emitter& emitter) {
  Argument flat = coordinates[0];
  for (size_t dim = 1; dim < coordinates.size(); ++dim) {
    const Argument start = CULPRIT_TRY(emitter.EmitOne("aten::mul.Scalar", {flat, widths[dim]}));
    flat = CULPRIT_TRY(emitter.EmitOne("aten::add.Tensor", {start, coordinates[dim]}));
  }
  return flat;
}

// The inverse of Flatten.
base::Result<Argument::List> Unflatten(Argument flat, const Argument::List& widths, Emitter& emitter) {
  Argument::List coordinates(widths.size());
  for (size_t dim = widths.size(); --dim > 0;) {
    coordinates[dim] = CULPRIT_TRY(emitter.EmitOne("aten::remainder.Scalar", {flat, widths[dim]}));
    flat = CULPRIT_TRY(emitter.EmitOne("aten::div.Scalar_mode", {flat, widths[dim]},
                                       {{"rounding_mode", Constant("floor")}}));
  }
  coordinates[0] = flat;
  return coordinates;
}

base::Result<std::vector<Argument>> OffsetsToIndices(const Argument& offsets, const Argument::List& kernel,
                                                     const Argument::List& input, const Windows& windows,
                                                     Emitter& emitter) {
  const Argument wide = CULPRIT_TRY(
      emitter.EmitOne("aten::_to_copy", {offsets}, {{"dtype", Constant(static_cast<int64_t>(at::kLong))}}));
  Argument::List coordinates = CULPRIT_TRY(Unflatten(wide, kernel, emitter));
  for (size_t dim = 0; dim < coordinates.size(); ++dim) {
    const Argument corner = CULPRIT_TRY(Corners(wide, windows, dim, emitter));
    const Argument step =
        CULPRIT_TRY(emitter.EmitOne("aten::mul.Scalar", {coordinates[dim], windows.dilation[dim]}));
    coordinates[dim] = CULPRIT_TRY(emitter.EmitOne("aten::add.Tensor", {corner, step}));
  }
  return std::vector<Argument>{CULPRIT_TRY(Flatten(coordinates, input, emitter))};
}

}  // namespace

// (self, kernel_size, stride, padding, dilation, ceil_mode)
base::Result<std::vector<Argument>> ExpandMaxPoolWithOffsets(const WrittenArguments& call, Emitter& emitter) {
  const size_t rank = call.positional[1].is_list() ? call.positional[1].list().size() : 0;
  if (rank != 2 && rank != 3) {
    return base::Diagnostic{{}, "argument 'kernel_size' must be a list of 2 or 3 elements"};
  }
  const Argument::List kernel = call.positional[1].list();
  const Windows windows{.stride = CULPRIT_TRY(ListOf(call.positional[2], rank, "stride")),
                        .padding = CULPRIT_TRY(ListOf(call.positional[3], rank, "padding")),
                        .dilation = CULPRIT_TRY(ListOf(call.positional[4], rank, "dilation"))};
  const std::vector<ValueId> pooled =
      CULPRIT_TRY(emitter.Emit(fmt::format("aten::max_pool{}d_with_indices", rank), call));
  const Argument indices = pooled[1];

  Argument::List sizes(rank);
  for (size_t dim = 1; dim < rank; ++dim) {
    const Argument from_back = Constant(DimensionFromBack(dim, rank));
    sizes[dim] = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {call.positional[0], from_back}));
  }
  Argument::List coordinates = CULPRIT_TRY(Unflatten(indices, sizes, emitter));
  for (size_t dim = 0; dim < rank; ++dim) {
    const Argument corner = CULPRIT_TRY(Corners(indices, windows, dim, emitter));
    const Argument distance = CULPRIT_TRY(emitter.EmitOne("aten::sub.Tensor", {coordinates[dim], corner}));
    coordinates[dim] = CULPRIT_TRY(emitter.EmitOne("aten::div.Scalar_mode", {distance, windows.dilation[dim]},
                                                   {{"rounding_mode", Constant("floor")}}));
  }
  const Argument offsets = CULPRIT_TRY(Flatten(coordinates, kernel, emitter));
  const Argument narrow = CULPRIT_TRY(
      emitter.EmitOne("aten::_to_copy", {offsets}, {{"dtype", Constant(static_cast<int64_t>(at::kChar))}}));
  return std::vector<Argument>{pooled[0], narrow};
}

// (self, kernel_size, input_size, stride, padding, dilation)
base::Result<std::vector<Argument>> ExpandMaxPoolOffsets(const WrittenArguments& call, Emitter& emitter) {
  const size_t rank = call.positional[1].is_list() ? call.positional[1].list().size() : 0;
  if (rank == 0) return base::Diagnostic{{}, "argument 'kernel_size' must be a list"};
  const Argument::List input = CULPRIT_TRY(ListOf(call.positional[2], rank, "input_size"));
  const Windows windows{.stride = CULPRIT_TRY(ListOf(call.positional[3], rank, "stride")),
                        .padding = CULPRIT_TRY(ListOf(call.positional[4], rank, "padding")),
                        .dilation = CULPRIT_TRY(ListOf(call.positional[5], rank, "dilation"))};
  return OffsetsToIndices(call.positional[0], call.positional[1].list(), input, windows, emitter);
}

// (self, kernel_w, input_w, stride, padding, dilation): the form of 2.3 to 2.7, the first of them without
// dilation
base::Result<std::vector<Argument>> ExpandMaxPool2dOffsets(const WrittenArguments& call, Emitter& emitter) {
  const Windows windows{.stride = CULPRIT_TRY(ListOf(call.positional[3], 2, "stride")),
                        .padding = CULPRIT_TRY(ListOf(call.positional[4], 2, "padding")),
                        .dilation = CULPRIT_TRY(ListOf(call.positional[5], 2, "dilation"))};
  const Argument unused;
  return OffsetsToIndices(call.positional[0], {unused, call.positional[1]}, {unused, call.positional[2]},
                          windows, emitter);
}

}  // namespace culprit::graph::text
