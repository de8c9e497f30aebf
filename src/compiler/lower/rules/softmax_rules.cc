// SPDX-License-Identifier: Apache-2.0
//
//   name.max = max over the dimension of x
//   name.exp = exp(x - name.max)                          softmax; has the dtype of the result, or is not
//   kept name.sum = sum over the dimension of name.exp name     = name.exp / name.sum softmax
//            = x - name.max - log(name.sum)               log_softmax
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/reduction.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

Reduced AlongDimension(const Call& call, size_t argument) {
  return {call.Described(0), {call.Int(argument)}, /*keep=*/true};
}

// Numbers that are kept until their sum is known can lie where the result will. What of them is no normal
// number gets lost in the sum.
bool SoftmaxOf(Call& call, const Reduced& rows, ValueIndex input, ValueIndex max) {
  LoopBuilder numerators = call.LoopOver(0);
  const Type type = call.Result().dtype;
  const Expr x = numerators.Load(input, numerators.Variables()).As(type);
  const ValueIndex exp =
      call.Helper("exp", call.Result().sizes,
                  numerators.Pointwise(ExpOfNegative(x - numerators.Load(max, rows.Left(numerators)))));
  const ValueIndex sum =
      call.Helper("sum", rows.sizes(),
                  ReduceEach(call, rows, exp, Combine::kSum, [](LoopBuilder&, Expr e) { return e; }));
  LoopBuilder loop = call.LoopOver(0);
  const Expr each = loop.Load(exp, loop.Variables());
  const Expr total = loop.Load(sum, rows.Left(loop));
  // The sum is at least 1, so its inverse is a number; there is one division for each row then.
  call.DefineEach(0, loop, call.options().exact ? each / total : each * (total.Like(1) / total));
  return true;
}

template <bool kLog>
bool Softmax(Call& call) {
  const Reduced rows = AlongDimension(call, 1);
  const ValueIndex input = call.Tensor(0);
  const Type type = loops::TypeInRegisters(call.Result().dtype);
  // A NaN makes one of the sum, whatever the largest is.
  const Combine largest = call.options().exact ? Combine::kMax : Combine::kMaxOfNumbers;
  const ValueIndex max =
      call.Helper("max", rows.sizes(),
                  ReduceEach(call, rows, input, largest, [&](LoopBuilder&, Expr x) { return x.As(type); }));
  if (!kLog && type == call.Result().dtype) return SoftmaxOf(call, rows, input, max);
  LoopBuilder sums = call.Loop(rows.sizes(), rows.extents());
  const Expr each = sums.Load(input, rows.InReduction(sums)).As(type) - sums.Load(max, sums.Variables());
  const ValueIndex sum = call.Helper("sum", rows.sizes(), sums.Reduction(Combine::kSum, ExpOfNegative(each)));
  LoopBuilder loop = call.LoopOver(0);
  const Expr x = loop.Load(input, loop.Variables()).As(type) - loop.Load(max, rows.Left(loop));
  const Expr total = loop.Load(sum, rows.Left(loop));
  call.DefineEach(0, loop, kLog ? x - Log(total) : ExpOfNegative(x) / total);
  return true;
}

// softmax: (g - sum(g * y)) * y; log_softmax: g - exp(y) * sum(g)
template <bool kLog>
bool SoftmaxBackward(Call& call) {
  const Reduced rows = AlongDimension(call, 2);
  LoopBuilder sums = call.Loop(rows.sizes(), rows.extents());
  const Expr each = sums.Load(call.Tensor(0), rows.InReduction(sums));
  const Expr summed = kLog ? each : each * sums.Load(call.Tensor(1), rows.InReduction(sums));
  const ValueIndex sum = call.Helper("sum", rows.sizes(), sums.Reduction(Combine::kSum, summed));
  LoopBuilder loop = call.LoopOver(0);
  const Expr g = loop.Load(call.Tensor(0), loop.Variables());
  const Expr y = loop.Load(call.Tensor(1), loop.Variables());
  const Expr total = loop.Load(sum, rows.Left(loop));
  call.DefineEach(0, loop, kLog ? g - Exp(y) * total : (g - total) * y);
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::_softmax", Softmax<false>, "exp(x - max) / sum", kFloats},
    {"aten::_log_softmax", Softmax<true>, "x - max - log(sum)", kFloats},
    {"aten::_softmax_backward_data", SoftmaxBackward<false>, "(g - sum(g * y)) * y", kFloats},
    {"aten::_log_softmax_backward_data", SoftmaxBackward<true>, "g - exp(y) * sum(g)", kFloats},
};

}  // namespace

std::span<const LoweringRule> SoftmaxRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
