// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

// Other sizes with the same number of elements: a dimension merged into its neighbour, or one split off.
Sizes Reshaped(GraphMaker& maker, Sizes sizes) {
  if (sizes.size() >= 2 && maker.Chance(60)) {
    const size_t at = maker.Between(0, static_cast<int64_t>(sizes.size()) - 2);
    sizes[at] *= sizes[at + 1];
    sizes.erase(sizes.begin() + at + 1);
  } else {
    const size_t at = maker.Between(0, static_cast<int64_t>(sizes.size()));
    const bool half = at < sizes.size() && sizes[at] % 2 == 0;
    if (half) sizes[at] /= 2;
    sizes.insert(sizes.begin() + at, half ? 2 : 1);
  }
  return sizes;
}

bool AddReshape(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kAny);
  Sizes sizes = Reshaped(maker, tensor.sizes());
  Argument list = maker.SizeList(sizes);
  if (tensor.tensor.numel() > 0 && maker.Chance(20)) list.list().back() = Constant<int64_t>(-1);
  return maker.Call(op, {{"self", tensor}, {op.name() == "aten::reshape" ? "shape" : "size", list}});
}

bool AddPermute(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  Sizes dims(tensor.rank());
  for (size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<int64_t>(i);
  for (size_t i = dims.size(); i > 1; --i)
    std::swap(dims[i - 1], dims[maker.Between(0, static_cast<int64_t>(i) - 1)]);
  return maker.Call(op, {{"self", tensor}, {"dims", Argument::Ints(dims)}});
}

bool AddExpand(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 0, 3);
  Sizes sizes = tensor.sizes();
  for (int64_t& size : sizes) size = size == 1 ? maker.Between(1, 3) : (maker.Chance(20) ? -1 : size);
  if (maker.Chance(40)) sizes.insert(sizes.begin(), maker.Between(1, 3));
  return maker.Call(op, {{"self", tensor}, {"size", maker.SizeList(sizes)}});
}

bool AddSlice(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  const int64_t dim = maker.Between(-tensor.rank(), tensor.rank() - 1);
  const auto place = [&]() { return Constant(maker.Between(-2, tensor.size(dim))); };
  const auto end = [&]() {
    return maker.Chance(50) ? Constant(std::numeric_limits<int64_t>::max()) : place();
  };
  return maker.Call(op, {{"self", tensor},
                         {"dim", Constant(dim)},
                         {"start", maker.Chance(30) ? None() : place()},
                         {"end", maker.Chance(20) ? None() : end()},
                         {"step", Constant(maker.Between(1, 2))}});
}

bool AddSelect(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  const int64_t dim = maker.Between(-tensor.rank(), tensor.rank() - 1);
  return maker.Call(op,
                    {{"self", tensor}, {"dim", Constant(dim)}, {"index", Constant(maker.Between(-1, 1))}});
}

bool AddAsStrided(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kAny, [](const at::Tensor& any) { return any.numel() >= 4; });
  const Sizes sizes = {2, maker.Between(1, 2)};
  const Sizes strides = maker.Chance(50) ? Sizes{2, 1} : Sizes{1, 2};
  return maker.Call(op, {{"self", tensor},
                         {"size", maker.SizeList(sizes)},
                         {"stride", Argument::Ints(strides)},
                         {"storage_offset", maker.Chance(50) ? None() : Constant<int64_t>(0)}});
}

bool AddNarrow(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 4);
  return maker.Complete(op,
                        {{"self", tensor}, {"start", Constant<int64_t>(0)}, {"length", Constant<int64_t>(1)}},
                        tensor.tensor);
}

bool AddUnfold(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.PickRanks(kAny, 1, 3);
  return maker.Call(op, {{"self", tensor},
                         {"dimension", Constant<int64_t>(-1)},
                         {"size", Constant(maker.Between(1, 2))},
                         {"step", Constant(maker.Between(1, 2))}});
}

bool AddLikeOther(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kAny);
  return maker.Call(op, {{"self", tensor}, {"other", maker.Sized(at::kFloat, tensor.sizes())}});
}

bool AddViewAsComplex(GraphMaker& maker, const Operator& op) {
  Sizes sizes = maker.RandomSizes(0, 2);
  sizes.push_back(2);
  return maker.Call(op, {{"self", maker.Fresh(at::kFloat, sizes)}});
}

constexpr OperatorRow kRows[] = {
    {"aten::_reshape_alias",
     [](GraphMaker& maker, const Operator& op) {
       const Operand tensor = maker.Pick(kAny);
       return maker.Call(op, {{"self", tensor},
                              {"size", maker.SizeList(tensor.sizes())},
                              {"stride", Argument::Ints(tensor.tensor.strides().vec())}});
     }},
    {"aten::_unsafe_view", AddReshape},
    {"aten::alias", One<kAny>},
    {"aten::as_strided", AddAsStrided},
    {"aten::detach", One<kAny>},
    {"aten::diagonal", One<kAny, 2>},
    {"aten::expand", AddExpand},
    {"aten::expand_as", AddLikeOther},
    {"aten::flatten.using_ints", One<kAny>},
    {"aten::imag", One<kComplex>},
    {"aten::movedim.int", One<kAny, 1>},
    {"aten::narrow", AddNarrow},
    {"aten::permute", AddPermute},
    {"aten::real", One<kComplex>},
    {"aten::reshape", AddReshape},
    {"aten::select.int", AddSelect},
    {"aten::slice.Tensor", AddSlice},
    {"aten::squeeze", One<kAny>},
    {"aten::squeeze.dim", One<kAny>},
    {"aten::swapaxes", One<kAny, 1>},
    {"aten::t", One<kAny, 0, 2>},
    {"aten::transpose.int", One<kAny, 1>},
    {"aten::unfold", AddUnfold},
    {"aten::unsqueeze", One<kAny, 0, 3>},
    {"aten::view", AddReshape},
    {"aten::view_as", AddLikeOther},
    {"aten::view_as_complex", AddViewAsComplex},
    {"aten::view_as_real", One<kComplex>},
};

}  // namespace

std::span<const OperatorRow> ViewOperators() {
  return kRows;
}

}  // namespace culprit::tests
