// SPDX-License-Identifier: Apache-2.0
//
//   name.max = max over the dimension of x
//   name.sum = sum over the dimension of exp(x - name.max)
//   name     = exp(x - name.max) / name.sum               softmax
//            = x - name.max - log(name.sum)               log_softmax
#include "compiler/loops/type_rules.h"
#include "compiler/lower/reduction.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::Combine;
using loops::ValueIndex;

Reduced AlongDimension(const Call& call, size_t argument) {
  return {call.Described(0), {call.Int(argument)}, /*keep=*/true};
}

template <bool kLog>
bool Softmax(Call& call) {
  // Eager takes integers if there are none.
  if (!at::isFloatingType(call.Result().dtype)) return false;
  const Reduced rows = AlongDimension(call, 1);
  const ValueIndex input = call.Tensor(0);
  const Type type = loops::TypeInRegisters(call.Result().dtype);
  const ValueIndex max = call.Helper(
      "max", rows.sizes(),
      ReduceEach(call, rows, input, Combine::kMax, [&](LoopBuilder&, Expr x) { return x.As(type); }));
  LoopBuilder sums = call.Loop(rows.sizes(), rows.extents());
  const Expr each = sums.Load(input, rows.InReduction(sums)).As(type) - sums.Load(max, sums.Variables());
  const ValueIndex sum = call.Helper("sum", rows.sizes(), sums.Reduction(Combine::kSum, Exp(each)));
  LoopBuilder loop = call.LoopOver(0);
  const Expr x = loop.Load(input, loop.Variables()).As(type) - loop.Load(max, rows.Left(loop));
  const Expr total = loop.Load(sum, rows.Left(loop));
  call.DefineEach(0, loop, kLog ? x - Log(total) : Exp(x) / total);
  return true;
}

// softmax: (g - sum(g * y)) * y; log_softmax: g - exp(y) * sum(g)
template <bool kLog>
bool SoftmaxBackward(Call& call) {
  // libtorch reads the numbers of softmax, which no softmax gives otherwise, as if they lay so.
  if (!call.Fake(1).is_contiguous()) return false;
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

constexpr Rule kRules[] = {
    {"aten::_softmax", Softmax<false>, "exp(x - max) / sum"},
    {"aten::_log_softmax", Softmax<true>, "x - max - log(sum)"},
    {"aten::_softmax_backward_data", SoftmaxBackward<false>, "(g - sum(g * y)) * y"},
    {"aten::_log_softmax_backward_data", SoftmaxBackward<true>, "g - exp(y) * sum(g)"},
};

}  // namespace

std::span<const Rule> SoftmaxRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
