// SPDX-License-Identifier: Apache-2.0
//
// Variances, in two passes; norms; cumulative sums and products.
#include <ATen/WrapDimUtils.h>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/moments.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

struct Variance {
  Reduced reduced;
  /// Any number: 0.5 has its uses.
  double correction;
};

/// var(x, unbiased); var(x, dim, unbiased, keepdim); var(x, dim, correction, keepdim).
Variance VarianceOf(const Call& call) {
  const loops::Value& x = call.Described(0);
  const size_t arguments = call.node().arguments.size();
  if (arguments == 2) return {Reduced(x, {}, false), call.Bool(1) ? 1.0 : 0.0};
  const Sizes axes = call.IsNone(1) ? Sizes{} : call.Ints(1);
  const bool has_flag = call.node().op->schema().arguments()[2].name() == "unbiased";
  double correction = 1;
  if (!call.IsNone(2)) correction = has_flag ? (call.Bool(2) ? 1 : 0) : call.Double(2);
  return {Reduced(x, axes, call.Bool(3)), correction};
}

Expr FromSquares(LoopBuilder& loop, ValueIndex squares, const Variance& variance, bool root) {
  const Expr total = loop.Load(squares, loop.Variables());
  const Expr count = loop.Extent(variance.reduced.count(), total.type());
  // Eager divides by 0, not by less, if there are too few numbers, and always if there are none.
  const bool is_empty = variance.reduced.count() == 0;
  const Expr divisor = is_empty ? count : Max(count - variance.correction, count.Like(0));
  return root ? Sqrt(total / divisor) : total / divisor;
}

/// The first result is the variance or the deviation, the second, if there is one, the mean.
template <bool kRoot, bool kMean>
bool VarianceRule(Call& call) {
  const Variance variance = VarianceOf(call);
  const ValueIndex input = call.Tensor(0);
  if (!at::isFloatingType(call[input].dtype)) return false;
  // As eager does: squares of large numbers are no Floats.
  const ValueIndex sum = SumOf(call, variance.reduced, input, Type::Double);
  const auto mean_loop = MeanLoop(call, variance.reduced, sum, Infinite::kIsNan);
  const ValueIndex mean = kMean ? call.DefineCombined(1, "mean", mean_loop)
                                : call.Helper("mean", variance.reduced.sizes(), mean_loop);
  const ValueIndex squares = SquaresAround(call, variance.reduced, input, mean);
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, FromSquares(loop, squares, variance, kRoot));
  return true;
}

bool DefineNorm(Call& call, double order, const Reduced& reduced) {
  if (!at::isFloatingType(call.Described(0).dtype)) return false;
  const Type type = loops::TypeInRegisters(call.Result().dtype);
  const ValueIndex input = call.Tensor(0);
  const auto combine = [&](Combine how, bool square) {
    return ReduceEach(call, reduced, input, how, [&](LoopBuilder&, Expr x) {
      return square ? x.As(type) * x.As(type) : Abs(x.As(type));
    });
  };
  if (order == 2) {
    const ValueIndex squares = call.Helper("squares", reduced.sizes(), combine(Combine::kSum, true));
    LoopBuilder loop = call.LoopOver(0);
    call.DefineEach(0, loop, Sqrt(loop.Load(squares, loop.Variables())));
    return true;
  }
  if (order != 1 && std::abs(order) != INFINITY) return false;
  if (order != 1 && reduced.count() == 0) return false;
  const Combine how = order == 1 ? Combine::kSum : order > 0 ? Combine::kMax : Combine::kMin;
  call.DefineCombined(0, "norm", combine(how, false));
  return true;
}

bool VectorNorm(Call& call) {
  const Sizes axes = call.IsNone(2) ? Sizes{} : call.Ints(2);
  return DefineNorm(call, call.Double(1), Reduced(call.Described(0), axes, call.Bool(3)));
}

bool Norm(Call& call) {
  const double order = call.IsNone(1) ? 2 : call.Double(1);
  if (call.node().arguments.size() == 2)
    return DefineNorm(call, order, Reduced(call.Described(0), {}, false));
  return DefineNorm(call, order, Reduced(call.Described(0), call.Ints(2), call.Bool(3)));
}

/// Eager keeps what has been combined of Floats as a Double.
template <Combine kCombine>
bool Cumulate(Call& call) {
  const at::ScalarType dtype = call.Result().dtype;
  const size_t dimensions = call.Result().sizes.size();
  if (dimensions == 0 || dtype == at::kBool || dtype != loops::TypeInRegisters(dtype)) return false;
  LoopBuilder loop = call.LoopOver(0);
  const Expr each =
      loop.Load(call.Tensor(0), loop.Variables()).As(dtype == at::kFloat ? Type::Double : dtype);
  call.Define(0, loop.Scan(kCombine, static_cast<uint32_t>(call.Dimension(1, dimensions)), each));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::var", VarianceRule<false, false>, "in two passes"},
    {"aten::var.dim", VarianceRule<false, false>, ""},
    {"aten::var.correction", VarianceRule<false, false>, ""},
    {"aten::std", VarianceRule<true, false>, ""},
    {"aten::std.dim", VarianceRule<true, false>, ""},
    {"aten::std.correction", VarianceRule<true, false>, ""},
    {"aten::var_mean.correction", VarianceRule<false, true>, ""},
    {"aten::std_mean.correction", VarianceRule<true, true>, ""},
    {"aten::linalg_vector_norm", VectorNorm, "of orders 1, 2 and infinity"},
    {"aten::norm.Scalar", Norm, "of orders 1, 2 and infinity"},
    {"aten::norm.ScalarOpt_dim", Norm, ""},
    {"aten::cumsum", Cumulate<Combine::kSum>, "not of Half and BFloat16"},
    {"aten::cumprod", Cumulate<Combine::kProduct>, ""},
};

}  // namespace

std::span<const LoweringRule> StatisticsRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
