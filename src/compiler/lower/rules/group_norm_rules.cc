// SPDX-License-Identifier: Apache-2.0
//
// Group norm: the input is [N, C, ...]; channels in a row, so many that there are as many groups as wanted,
// are normalised together. Statistics are [N, groups].
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/moments.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

struct Groups {
  Sizes input;
  int64_t groups;
  Type type;

  int64_t width() const { return input[1] / groups; }
  Sizes statistics() const { return {input[0], groups}; }
  /// What is reduced for one statistic: the channels of a group, and all places.
  Sizes reduced() const {
    Sizes reduced = {width()};
    reduced.insert(reduced.end(), input.begin() + 2, input.end());
    return reduced;
  }
  int64_t count() const { return Product(reduced()); }

  /// Indices into the input, in a loop over statistics and behind them what is reduced.
  Indices InReduction(LoopBuilder& loop) const {
    Indices at = {loop.Variable(0), loop.Variable(1) * loop.Extent(width()) + loop.Variable(2)};
    for (size_t i = 2; i < input.size(); ++i) at.push_back(loop.Variable(i + 1));
    return at;
  }
  /// Indices of the statistic for an element.
  Indices Statistic(LoopBuilder& loop, const Indices& at) const {
    return {at[0], width() == 1 ? at[1] : FloorDiv(at[1], loop.Extent(width()))};
  }
};

/// Nothing if the input is no such tensor, or has no elements, for which eager has rules of its own.
std::optional<Groups> GroupsOf(const Call& call, size_t input, size_t groups) {
  const Sizes& sizes = call.Described(input).sizes;
  const int64_t count = call.Int(groups);
  if (sizes.size() < 2 || Product(sizes) == 0 || count <= 0 || sizes[1] % count != 0) return std::nullopt;
  return Groups{sizes, count, loops::TypeInRegisters(call.Described(input).dtype)};
}

template <typename Each>
ValueIndex SumPerGroup(Call& call, const Groups& groups, std::string_view suffix, const Each& each) {
  LoopBuilder loop = call.Loop(groups.statistics(), groups.reduced());
  const Expr summed = each(loop, groups.InReduction(loop));
  return call.Helper(suffix, groups.statistics(), loop.Reduction(Combine::kSum, summed));
}

bool GroupNorm(Call& call) {
  const auto groups = GroupsOf(call, 0, 6);
  const at::Tensor fake = call.Fake(0);
  // libtorch refuses others.
  if (!fake.is_contiguous(fake.suggest_memory_format())) return false;
  if (!groups || call.Result(1).sizes != groups->statistics()) return false;
  const ValueIndex input = call.Tensor(0);
  const Type type = groups->type;
  const ValueIndex sum = SumPerGroup(
      call, *groups, "sum", [&](LoopBuilder& loop, const Indices& at) { return loop.Load(input, at); });
  const auto mean_of = [&](ValueIndex total) {
    LoopBuilder loop = call.Loop(groups->statistics());
    return loop.Pointwise(
        Finished(loop.Load(total, loop.Variables()) / loop.Extent(groups->count(), type), Infinite::kIsNan));
  };
  const ValueIndex mean = call.DefineCombined(1, "mean", mean_of(sum));
  const ValueIndex squares = SumPerGroup(call, *groups, "squares", [&](LoopBuilder& loop, const Indices& at) {
    const Expr centered = loop.Load(input, at) - loop.Load(mean, loop.Variables());
    return centered * centered;
  });
  LoopBuilder inverse = call.Loop(groups->statistics());
  const Expr variance = inverse.Load(squares, inverse.Variables()) / inverse.Extent(groups->count(), type);
  const ValueIndex rstd =
      call.DefineCombined(2, "rstd", inverse.Pointwise(1.0 / Sqrt(variance + call.Double(7))));
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const Indices group = groups->Statistic(loop, at);
  Expr y = (loop.Load(input, at) - loop.Load(mean, group)) * loop.Load(rstd, group);
  if (const auto weight = call.OptionalTensor(1)) y = y * loop.Load(*weight, {at[1]}).As(type);
  if (const auto bias = call.OptionalTensor(2)) y = y + loop.Load(*bias, {at[1]}).As(type);
  call.DefineEach(0, loop, y);
  return true;
}

struct Backward {
  Groups groups;
  ValueIndex gradient;
  ValueIndex input;
  ValueIndex mean;
  ValueIndex rstd;
  std::optional<ValueIndex> weight;

  Expr Normalized(LoopBuilder& loop, const Indices& at, const Indices& group) const {
    return (loop.Load(input, at) - loop.Load(mean, group).As(groups.type)) *
           loop.Load(rstd, group).As(groups.type);
  }
  Expr WeightedGradient(LoopBuilder& loop, const Indices& at) const {
    const Expr g = loop.Load(gradient, at).As(groups.type);
    return weight ? g * loop.Load(*weight, {at[1]}).As(groups.type) : g;
  }
};

void DefineInputGradient(Call& call, const Backward& b) {
  const ValueIndex sum = SumPerGroup(call, b.groups, "sum", [&](LoopBuilder& loop, const Indices& at) {
    return b.WeightedGradient(loop, at);
  });
  const ValueIndex product =
      SumPerGroup(call, b.groups, "product", [&](LoopBuilder& loop, const Indices& at) {
        return b.WeightedGradient(loop, at) * b.Normalized(loop, at, {loop.Variable(0), loop.Variable(1)});
      });
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const Indices group = b.groups.Statistic(loop, at);
  const Expr count = loop.Extent(b.groups.count(), b.groups.type);
  const Expr mean = loop.Load(sum, group) / count;
  const Expr slope = loop.Load(product, group) / count;
  const Expr centered = b.WeightedGradient(loop, at) - mean - b.Normalized(loop, at, group) * slope;
  call.DefineEach(0, loop, centered * loop.Load(b.rstd, group).As(b.groups.type));
}

void DefineParameterGradient(Call& call, const Backward& b, uint32_t result, bool is_weight) {
  if (!call.HasResult(result)) return;
  Sizes reduced = {b.groups.input[0]};
  reduced.insert(reduced.end(), b.groups.input.begin() + 2, b.groups.input.end());
  LoopBuilder loop = call.Loop({b.groups.input[1]}, reduced);
  Indices at = {loop.Variable(1), loop.Variable(0)};
  for (size_t i = 2; i < b.groups.input.size(); ++i) at.push_back(loop.Variable(i));
  Expr g = loop.Load(b.gradient, at).As(b.groups.type);
  if (is_weight) g = g * b.Normalized(loop, at, b.groups.Statistic(loop, at));
  call.DefineCombined(result, is_weight ? "weight" : "bias", loop.Reduction(Combine::kSum, g));
}

bool GroupNormBackward(Call& call) {
  const auto groups = GroupsOf(call, 1, 8);
  // libtorch reads both as if they lay so.
  if (!groups || !call.Fake(0).is_contiguous() || !call.Fake(1).is_contiguous()) return false;
  const Backward b{.groups = *groups,
                   .gradient = call.Tensor(0),
                   .input = call.Tensor(1),
                   .mean = call.Tensor(2),
                   .rstd = call.Tensor(3),
                   .weight = call.OptionalTensor(4)};
  if (call.HasResult(0)) DefineInputGradient(call, b);
  DefineParameterGradient(call, b, 1, /*is_weight=*/true);
  DefineParameterGradient(call, b, 2, /*is_weight=*/false);
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::native_group_norm", GroupNorm, "of what has elements", kFloats},
    {"aten::native_group_norm_backward", GroupNormBackward, "to input, weight and bias", kFloats},
};

}  // namespace

std::span<const LoweringRule> GroupNormRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
