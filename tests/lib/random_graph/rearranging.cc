// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

// The tensor and others like it, in one list.
Argument TensorList(GraphMaker& maker, const Operand& first) {
  Argument::List list = {first};
  for (int64_t i = maker.Between(0, 2); i > 0; --i) list.push_back(maker.Sized(first.dtype(), first.sizes()));
  return Argument(std::move(list));
}

bool AddJoin(GraphMaker& maker, const Operator& op) {
  const Operand first = maker.PickRanks(kAny, 1, 3);
  return maker.Complete(op, {{"tensors", TensorList(maker, first)}}, first.tensor);
}

bool AddSplit(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  return maker.Complete(
      op, {{"self", tensor}, {"split_size", maker.SizeList({maker.Between(1, 3)}).list()[0]}}, tensor.tensor);
}

bool AddSplitWithSizes(GraphMaker& maker, const Operator& op) {
  const Operand tensor =
      maker.Pick(kAny, [](const at::Tensor& any) { return any.dim() >= 1 && any.size(-1) >= 2; });
  const int64_t first = maker.Between(0, tensor.size(-1));
  return maker.Call(op, {{"self", tensor},
                         {"split_sizes", maker.SizeList({first, tensor.size(-1) - first})},
                         {"dim", Constant<int64_t>(-1)}});
}

bool AddRoll(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  return maker.Call(op, {{"self", tensor},
                         {"shifts", Argument::Ints({maker.Between(-2, 2)})},
                         {"dims", Argument::Ints({maker.Between(-tensor.rank(), tensor.rank() - 1)})}});
}

bool AddRot90(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 2, 4);
  return maker.Call(
      op, {{"self", tensor}, {"k", Constant(maker.Between(-1, 3))}, {"dims", Argument::Ints({0, 1})}});
}

bool AddRepeat(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 0, 3);
  Sizes repeats(tensor.rank() + maker.Between(0, 1));
  for (int64_t& times : repeats) times = maker.Between(1, 2);
  const char* name = op.name() == "aten::tile" ? "dims" : "repeats";
  return maker.Call(op,
                    {{"self", tensor},
                     {name, op.name() == "aten::tile" ? Argument::Ints(repeats) : maker.SizeList(repeats)}});
}

bool AddRepeatInterleave(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 0, 3);
  return maker.Complete(
      op, {{"self", tensor}, {"repeats", Constant(maker.Between(1, 3))}, {"output_size", None()}},
      tensor.tensor);
}

bool AddPad(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kReal, 1, 4);
  return maker.Complete(
      op, {{"self", tensor}, {"pad", Argument::Ints({maker.Between(-1, 2), maker.Between(0, 2)})}},
      tensor.tensor);
}

bool AddToCopy(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kReal);
  return maker.Complete(op, {{"self", tensor}, {"pin_memory", None()}, {"layout", None()}}, tensor.tensor);
}

// src has the sizes of what the scatter replaces.
bool AddSelectScatter(GraphMaker& maker, const Operator& op) {
  const Operand tensor =
      maker.Pick(kReal, [](const at::Tensor& any) { return any.dim() >= 1 && any.size(0) >= 1; });
  Sizes sizes = tensor.sizes();
  sizes.erase(sizes.begin());
  return maker.Call(op, {{"self", tensor},
                         {"src", maker.Sized(tensor.dtype(), sizes)},
                         {"dim", Constant<int64_t>(0)},
                         {"index", Constant<int64_t>(-1)}});
}

bool AddSliceScatter(GraphMaker& maker, const Operator& op) {
  const Operand tensor =
      maker.Pick(kReal, [](const at::Tensor& any) { return any.dim() >= 1 && any.size(0) >= 1; });
  Sizes sizes = tensor.sizes();
  sizes[0] -= 1;
  return maker.Call(op, {{"self", tensor},
                         {"src", maker.Sized(tensor.dtype(), sizes)},
                         {"dim", Constant<int64_t>(0)},
                         {"start", Constant<int64_t>(1)},
                         {"end", maker.Chance(50) ? None() : Constant(tensor.size(0))}});
}

bool AddDiagonalScatter(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRank(kReal, 2);
  return maker.Call(op, {{"self", tensor},
                         {"src", maker.Sized(tensor.dtype(), {std::min(tensor.size(0), tensor.size(1))})}});
}

bool AddMeshgrid(GraphMaker& maker, const Operator& op) {
  Argument::List list;
  const at::ScalarType dtype = maker.RandomDtype(kReal);
  for (int64_t i = maker.Between(1, 2); i > 0; --i) list.push_back(maker.Sized(dtype, {maker.Between(1, 4)}));
  return maker.Complete(op, {{"tensors", Argument(list)}}, at::Tensor());
}

bool AddPixelShuffle(GraphMaker& maker, const Operator& op) {
  const bool shuffle = op.name() == "aten::pixel_shuffle";
  const Sizes sizes = shuffle ? Sizes{1, 4, 2, 3} : Sizes{1, 2, 4, 6};
  const char* factor = shuffle ? "upscale_factor" : "downscale_factor";
  return maker.Call(op, {{"self", maker.Sized(at::kFloat, sizes)}, {factor, Constant<int64_t>(2)}});
}

constexpr OperatorRow kRows[] = {
    {"aten::_to_copy", AddToCopy},
    {"aten::block_diag", AddJoin},
    {"aten::broadcast_tensors", AddJoin},
    {"aten::cat", AddJoin},
    {"aten::channel_shuffle",
     [](GraphMaker& maker, const Operator& op) {
       return maker.Call(op,
                         {{"self", maker.Sized(at::kFloat, {1, 4, 2, 2})}, {"groups", Constant<int64_t>(2)}});
     }},
    {"aten::chunk", One<kAny, 1>},
    {"aten::clone", One<kAny>},
    {"aten::constant_pad_nd", AddPad},
    {"aten::contiguous", One<kAny>},
    {"aten::diag", One<kReal, 1, 2>},
    {"aten::diag_embed", One<kReal, 1, 2>},
    {"aten::diagonal_scatter", AddDiagonalScatter},
    {"aten::flip", One<kAny, 1>},
    {"aten::fliplr", One<kAny, 2>},
    {"aten::hstack", AddJoin},
    {"aten::meshgrid.indexing", AddMeshgrid},
    {"aten::pixel_shuffle", AddPixelShuffle},
    {"aten::pixel_unshuffle", AddPixelShuffle},
    {"aten::ravel", One<kAny>},
    {"aten::repeat", AddRepeat},
    {"aten::repeat_interleave.self_int", AddRepeatInterleave},
    {"aten::roll", AddRoll},
    {"aten::rot90", AddRot90},
    {"aten::select_scatter", AddSelectScatter},
    {"aten::slice_scatter", AddSliceScatter},
    {"aten::split.Tensor", AddSplit},
    {"aten::split_with_sizes", AddSplitWithSizes},
    {"aten::stack", AddJoin},
    {"aten::tensor_split.sections", One<kAny, 1>},
    {"aten::tile", AddRepeat},
    {"aten::tril", One<kReal, 2>},
    {"aten::triu", One<kReal, 2>},
    {"aten::unbind.int", One<kAny, 1>},
    {"aten::vstack", AddJoin},
};

}  // namespace

std::span<const OperatorRow> RearrangingOperators() {
  return kRows;
}

}  // namespace culprit::tests
