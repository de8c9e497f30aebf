// SPDX-License-Identifier: Apache-2.0
//
// Reductions. What is combined in another type than the result's, as sums of Half are in Float, is a helper,
// and the result is a cast of that.
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/reduction.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

/// The dimensions in an argument; none are all of them.
Sizes Axes(const Call& call, size_t argument) {
  return call.IsNone(argument) ? Sizes{} : call.Ints(argument);
}

/// Of all elements, or of those along the axes in argument 1, with "keepdim" behind it.
Reduced ReducedBy(const Call& call, bool has_axes) {
  return has_axes ? Reduced(call.Described(0), Axes(call, 1), call.Bool(2))
                  : Reduced(call.Described(0), {}, false);
}

template <bool kAxes, Combine kCombine>
bool SumOrProduct(Call& call) {
  const Type type = AccumulationType(call.Result().dtype);
  const bool is_bool = call.Result().dtype == at::kBool;
  const auto loop =
      ReduceEach(call, ReducedBy(call, kAxes), call.Tensor(0), kCombine,
                 [&](LoopBuilder&, Expr x) { return (is_bool ? x.As(Type::Bool) : x).As(type); });
  call.DefineCombined(0, kCombine == Combine::kSum ? "sum" : "product", loop);
  return true;
}

/// Sums in the result's dtype, then the division. In exact mode the sum is rounded before that.
template <bool kAxes>
bool Mean(Call& call) {
  const Reduced reduced = ReducedBy(call, kAxes);
  const at::ScalarType dtype = call.Result().dtype;
  const Type type = loops::TypeInRegisters(dtype);
  const ValueIndex sum = call.Helper("sum", reduced.sizes(),
                                     ReduceEach(call, reduced, call.Tensor(0), Combine::kSum,
                                                [&](LoopBuilder&, Expr x) { return x.As(type); }));
  LoopBuilder loop = call.LoopOver(0);
  Expr rounded = loop.Load(sum, loop.Variables());
  if (call.options().exact && dtype == at::kHalf) rounded = Apply(Op::kRoundToHalf, rounded);
  if (call.options().exact && dtype == at::kBFloat16) rounded = Apply(Op::kRoundToBFloat16, rounded);
  call.DefineEach(0, loop, rounded / loop.Extent(reduced.count(), type));
  return true;
}

/// Bools have no order in the loop language.
Expr Ordered(Expr x) {
  return x.type() == Type::Bool ? x.As(Type::Byte) : x;
}

bool DefineExtreme(Call& call, const Reduced& reduced, Combine combine) {
  const auto loop =
      ReduceEach(call, reduced, call.Tensor(0), combine, [](LoopBuilder&, Expr x) { return Ordered(x); });
  call.DefineCombined(0, "extreme", loop);
  return true;
}

template <bool kAxes, Combine kCombine>
bool Extreme(Call& call) {
  return DefineExtreme(call, ReducedBy(call, kAxes), kCombine);
}

/// The first result is the extreme along a dimension, the second where its first is.
template <Combine kCombine, Combine kPlace>
bool ExtremeWithPlace(Call& call) {
  const Reduced reduced = ReducedBy(call, true);
  DefineExtreme(call, reduced, kCombine);
  call.Define(
      1, ReduceEach(call, reduced, call.Tensor(0), kPlace, [](LoopBuilder&, Expr x) { return Ordered(x); }));
  return true;
}

template <Combine kPlace>
bool Place(Call& call) {
  const Reduced reduced(call.Described(0), Axes(call, 1), call.Bool(2));
  call.Define(
      0, ReduceEach(call, reduced, call.Tensor(0), kPlace, [](LoopBuilder&, Expr x) { return Ordered(x); }));
  return true;
}

template <bool kAxes, Combine kCombine>
bool Logical(Call& call) {
  const auto loop = ReduceEach(call, ReducedBy(call, kAxes), call.Tensor(0), kCombine,
                               [](LoopBuilder&, Expr x) { return x.As(Type::Bool); });
  call.DefineCombined(0, "logical", loop);
  return true;
}

bool LogSumExp(Call& call) {
  const Reduced reduced = ReducedBy(call, true);
  const ValueIndex max = call.Helper(
      "max", reduced.sizes(),
      ReduceEach(call, reduced, call.Tensor(0), Combine::kMax, [](LoopBuilder&, Expr x) { return x; }));
  // Infinities would give NaN when they are subtracted.
  const auto shift = [&](LoopBuilder& loop, const Indices& at) {
    const Expr largest = loop.Load(max, at);
    return Select(Equal(Abs(largest), largest.Like(INFINITY)), largest.Like(0), largest);
  };
  LoopBuilder sums = call.Loop(reduced.sizes(), reduced.extents());
  const Expr x = sums.Load(call.Tensor(0), reduced.InReduction(sums));
  const ValueIndex sum = call.Helper("sum", reduced.sizes(),
                                     sums.Reduction(Combine::kSum, Exp(x - shift(sums, sums.Variables()))));
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, Log(loop.Load(sum, loop.Variables())) + shift(loop, loop.Variables()));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::sum", SumOrProduct<false, Combine::kSum>, "of integers in Long"},
    {"aten::sum.dim_IntList", SumOrProduct<true, Combine::kSum>, ""},
    // libtorch rounds every product to these.
    {"aten::prod", SumOrProduct<false, Combine::kProduct>, "", kAnyDtype.Without({at::kHalf, at::kBFloat16})},
    {"aten::prod.dim_int", SumOrProduct<true, Combine::kProduct>, "",
     kAnyDtype.Without({at::kHalf, at::kBFloat16})},
    {"aten::mean", Mean<false>, "the sum, divided"},
    {"aten::mean.dim", Mean<true>, ""},
    {"aten::amax", Extreme<true, Combine::kMax>, "NaN if one is"},
    {"aten::amin", Extreme<true, Combine::kMin>, ""},
    {"aten::max", Extreme<false, Combine::kMax>, ""},
    {"aten::min", Extreme<false, Combine::kMin>, ""},
    {"aten::max.dim", ExtremeWithPlace<Combine::kMax, Combine::kArgMax>, "and where the first is"},
    {"aten::min.dim", ExtremeWithPlace<Combine::kMin, Combine::kArgMin>, ""},
    {"aten::argmax", Place<Combine::kArgMax>, "the first", kAnyButBool},
    {"aten::argmin", Place<Combine::kArgMin>, "", kAnyButBool},
    {"aten::any", Logical<false, Combine::kOr>, ""},
    {"aten::any.dim", Logical<true, Combine::kOr>, ""},
    {"aten::all", Logical<false, Combine::kAnd>, ""},
    {"aten::all.dim", Logical<true, Combine::kAnd>, ""},
    {"aten::logsumexp", LogSumExp, "", kFloats},
};

}  // namespace

std::span<const LoweringRule> ReductionRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
