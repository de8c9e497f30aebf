// SPDX-License-Identifier: Apache-2.0
//
// Operators that put elements in other places without being views: joined, padded, turned and repeated
// tensors.
#include <ATen/WrapDimUtils.h>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::ValueIndex;

/// With more parts than that, every element would be asked for in too many places: copies are faster.
constexpr size_t kMostParts = 8;

bool IsLegacyEmpty(const loops::Value& value) {
  return value.sizes == Sizes{0};
}

/// Each part is loaded where it is, behind a mask, and one of them is chosen.
bool Concatenate(Call& call) {
  std::vector<ValueIndex> parts;
  for (const ValueIndex part : call.Tensors(0))
    if (!IsLegacyEmpty(call[part])) parts.push_back(part);
  if (parts.empty() || parts.size() > kMostParts) return false;
  LoopBuilder loop = call.LoopOver(0);
  const size_t dimension = call.Dimension(1, loop.sizes().size());
  const Type type = loops::TypeInRegisters(call.Result().dtype);
  const Expr along = loop.Variable(dimension);
  int64_t end = loop.sizes()[dimension];
  std::optional<Expr> joined;
  for (size_t i = parts.size(); i-- > 0;) {
    const int64_t begin = end - call[parts[i]].sizes[dimension];
    Indices at = loop.Variables();
    at[dimension] = along - loop.Extent(begin);
    const Expr is_before_end = along < loop.Extent(end);
    const Expr is_inside = And(along >= loop.Extent(begin), is_before_end);
    const Expr part =
        (parts.size() == 1 ? loop.Load(parts[i], at) : loop.Load(parts[i], at, is_inside)).As(type);
    joined = joined ? Select(is_before_end, part, *joined) : part;
    end = begin;
  }
  call.DefineEach(0, loop, *joined);
  return true;
}

bool Stack(Call& call) {
  const std::vector<ValueIndex> parts = call.Tensors(0);
  if (parts.empty() || parts.size() > kMostParts) return false;
  LoopBuilder loop = call.LoopOver(0);
  const size_t dimension = call.Dimension(1, loop.sizes().size());
  Indices at = loop.Variables();
  const Expr which = at[dimension];
  at.erase(at.begin() + static_cast<std::ptrdiff_t>(dimension));
  const Type type = loops::TypeInRegisters(call.Result().dtype);
  Expr stacked = loop.Load(parts.back(), at).As(type);
  for (size_t i = parts.size() - 1; i-- > 0;)
    stacked =
        Select(Equal(which, loop.Place(static_cast<int64_t>(i))), loop.Load(parts[i], at).As(type), stacked);
  call.DefineEach(0, loop, stacked);
  return true;
}

bool Flip(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  const auto dimensions = static_cast<int64_t>(at.size());
  for (const int64_t axis : call.Ints(1)) {
    if (dimensions == 0) continue;
    const auto i = static_cast<size_t>(at::maybe_wrap_dim(axis, dimensions));
    at[i] = loop.Extent(loop.sizes()[i] - 1) - at[i];
  }
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Roll(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const Sizes shifts = call.Ints(1);
  const Sizes axes = call.Ints(2);
  if (axes.size() != shifts.size() || axes.empty() || Product(loop.sizes()) == 0) return false;
  Indices at = loop.Variables();
  for (size_t k = 0; k < axes.size(); ++k) {
    const auto i = static_cast<size_t>(at::maybe_wrap_dim(axes[k], static_cast<int64_t>(at.size())));
    const int64_t size = loop.sizes()[i];
    const int64_t back = ((-shifts[k] % size) + size) % size;
    if (size > 1) at[i] = Remainder(at[i] + loop.Extent(back), loop.Extent(size));
  }
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Repeat(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  LoopBuilder loop = call.LoopOver(0);
  if (Product(loop.sizes()) == 0) return false;
  const size_t added = loop.sizes().size() - sizes.size();
  Indices at;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Expr variable = loop.Variable(added + i);
    const bool is_once = loop.sizes()[added + i] == sizes[i];
    at.push_back(is_once ? variable : Remainder(variable, loop.Extent(sizes[i])));
  }
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

/// Padding comes in pairs, of the last dimension first.
bool ConstantPad(Call& call) {
  const Sizes padding = call.Ints(1);
  const Sizes& sizes = call.Described(0).sizes;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  std::optional<Expr> is_inside;
  const auto require = [&](Expr condition) {
    is_inside = is_inside ? And(*is_inside, condition) : condition;
  };
  for (size_t k = 0; 2 * k < padding.size(); ++k) {
    const size_t i = sizes.size() - 1 - k;
    const int64_t before = padding[2 * k];
    const int64_t after = padding[2 * k + 1];
    at[i] = at[i] - loop.Place(before);
    if (before > 0) require(at[i] >= loop.Place(0));
    if (after > 0) require(at[i] < loop.Extent(sizes[i]));
  }
  if (!is_inside) {
    call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
    return true;
  }
  const Expr x = loop.Load(call.Tensor(0), at, *is_inside);
  const c10::Scalar value = call.Number(2);
  call.DefineEach(0, loop, Select(*is_inside, x, loop.Number(value, x.type())));
  return true;
}

/// 3 2 1 [0 1 2 3] 2 1 0: the edge is not repeated.
Expr Mirrored(LoopBuilder& loop, Expr index, int64_t size) {
  const Expr last = loop.Extent(size - 1);
  const Expr positive = Max(index, loop.Place(0) - index);
  return Min(positive, last + last - positive);
}

Expr Clamped(LoopBuilder& loop, Expr index, int64_t size) {
  return Min(Max(index, loop.Place(0)), loop.Extent(size - 1));
}

/// `kPlace` says where the element of a dimension is taken from.
template <Expr (*kPlace)(LoopBuilder&, Expr, int64_t)>
bool PadFromInside(Call& call) {
  const Sizes padding = call.Ints(1);
  const Sizes& sizes = call.Described(0).sizes;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  for (size_t k = 0; 2 * k < padding.size(); ++k) {
    const size_t i = sizes.size() - 1 - k;
    at[i] = kPlace(loop, at[i] - loop.Place(padding[2 * k]), sizes[i]);
  }
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

/// Where an element of a whole lies in a part of it, and whether it is there at all.
struct InPart {
  Indices at;
  Expr is_inside;
};

/// The part is a slice along the dimension that argument 2 names, with its start and step in 3 and 5.
InPart InSlice(const Call& call, LoopBuilder& loop, size_t part) {
  const size_t dimension = call.Dimension(2, loop.sizes().size());
  const int64_t size = loop.sizes()[dimension];
  const int64_t start = call.IsNone(3) ? 0 : call.Int(3);
  const Expr begin = loop.Extent(std::clamp<int64_t>(start < 0 ? start + size : start, 0, size));
  const Expr step = loop.Place(call.Int(5));
  Indices at = loop.Variables();
  const Expr offset = at[dimension] - begin;
  at[dimension] = FloorDiv(offset, step);
  const Expr is_before_end = at[dimension] < loop.Extent(call.Described(part).sizes[dimension]);
  return {at,
          And(And(offset >= loop.Place(0), is_before_end), Equal(Remainder(offset, step), loop.Place(0)))};
}

/// The part is one element along the dimension that argument 2 names, argument 3 says which.
InPart InSelection(const Call& call, LoopBuilder& loop) {
  const size_t dimension = call.Dimension(2, loop.sizes().size());
  const int64_t index = call.Int(3) < 0 ? call.Int(3) + loop.sizes()[dimension] : call.Int(3);
  Indices at = loop.Variables();
  const Expr is_inside = Equal(at[dimension], loop.Extent(index));
  at.erase(at.begin() + static_cast<std::ptrdiff_t>(dimension));
  return {at, is_inside};
}

/// The gradient goes where the part was taken from; all other places get 0.
bool SpreadPart(Call& call, LoopBuilder& loop, const InPart& part) {
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), part.at, part.is_inside));
  return true;
}

/// The first operand, but the second one where the part is.
bool ReplacePart(Call& call, LoopBuilder& loop, const InPart& part) {
  const Expr old = loop.Load(call.Tensor(0), loop.Variables());
  const Expr put = loop.Load(call.Tensor(1), part.at, part.is_inside).As(old.type());
  call.DefineEach(0, loop, Select(part.is_inside, put, old));
  return true;
}

bool SliceBackward(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  return SpreadPart(call, loop, InSlice(call, loop, 0));
}

bool SelectBackward(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  return SpreadPart(call, loop, InSelection(call, loop));
}

bool SliceScatter(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  return ReplacePart(call, loop, InSlice(call, loop, 1));
}

bool SelectScatter(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  return ReplacePart(call, loop, InSelection(call, loop));
}

constexpr LoweringRule kRules[] = {
    {"aten::cat", Concatenate, "of up to 8 tensors"},
    {"aten::stack", Stack, "of up to 8 tensors"},
    {"aten::flip", Flip, ""},
    {"aten::roll", Roll, "along dimensions"},
    {"aten::repeat", Repeat, ""},
    {"aten::constant_pad_nd", ConstantPad, "or cut, where padding is negative"},
    {"aten::reflection_pad1d", PadFromInside<Mirrored>, "", kAnyButBool},
    {"aten::reflection_pad2d", PadFromInside<Mirrored>, "", kAnyButBool},
    {"aten::replication_pad1d", PadFromInside<Clamped>, "", kAnyButBool},
    {"aten::replication_pad2d", PadFromInside<Clamped>, "", kAnyButBool},
    {"aten::slice_backward", SliceBackward, ""},
    {"aten::select_backward", SelectBackward, ""},
    {"aten::slice_scatter", SliceScatter, ""},
    {"aten::select_scatter", SelectScatter, ""},
};

}  // namespace

std::span<const LoweringRule> ArrangementRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
