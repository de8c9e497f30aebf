// SPDX-License-Identifier: Apache-2.0
//
// Losses of two tensors, element by element, summed up or averaged, and their gradients.
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/moments.h"
#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

// at::Reduction
constexpr int64_t kNone = 0;
constexpr int64_t kMean = 1;

using Loss = Expr (*)(Expr x, Expr target, double parameter);

bool HaveOneKind(const Call& call, size_t x, size_t target) {
  const loops::Value& a = call.Described(x);
  const loops::Value& b = call.Described(target);
  return a.dtype == b.dtype && a.sizes == b.sizes;
}

/// Arguments: x, target, reduction and, for some, a parameter.
template <Loss kLoss, bool kParameter>
bool LossRule(Call& call) {
  if (!HaveOneKind(call, 0, 1)) return false;
  const double parameter = kParameter ? call.Double(3) : 0;
  const auto each = [&](LoopBuilder& loop, const Indices& at) {
    return kLoss(loop.Load(call.Tensor(0), at), loop.Load(call.Tensor(1), at), parameter);
  };
  const int64_t reduction = call.Int(2);
  LoopBuilder loop = call.LoopOver(0);
  if (reduction == kNone) {
    call.DefineEach(0, loop, each(loop, loop.Variables()));
    return true;
  }
  const Reduced all(call.Described(0), {}, false);
  const Expr total = loop.Load(SumOfEach(call, all, "sum", each), {});
  call.DefineEach(0, loop, reduction == kMean ? total / loop.Extent(all.count(), total.type()) : total);
  return true;
}

/// Arguments: the gradient, x, target, reduction and, for some, a parameter.
template <Loss kSlope, bool kParameter>
bool LossBackwardRule(Call& call) {
  if (!HaveOneKind(call, 1, 2)) return false;
  const double parameter = kParameter ? call.Double(4) : 0;
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  Expr slope = kSlope(loop.Load(call.Tensor(1), at), loop.Load(call.Tensor(2), at), parameter);
  if (call.Int(3) == kMean) slope = slope / loop.Extent(Product(loop.sizes()), slope.type());
  call.DefineEach(0, loop, slope * loop.LoadBroadcast(call.Tensor(0), at).As(slope.type()));
  return true;
}

Expr SquaredError(Expr x, Expr target, double) {
  return (x - target) * (x - target);
}
Expr SquaredErrorSlope(Expr x, Expr target, double) {
  return 2.0 * (x - target);
}

Expr SmoothL1(Expr x, Expr target, double beta) {
  const Expr z = Abs(x - target);
  return Select(z < beta, 0.5 * z * z / beta, z - 0.5 * beta);
}
Expr SmoothL1Slope(Expr x, Expr target, double beta) {
  const Expr z = x - target;
  return Select(z < -beta, z.Like(-1), Select(z > beta, z.Like(1), z / beta));
}

Expr Huber(Expr x, Expr target, double delta) {
  const Expr z = Abs(x - target);
  return Select(z <= delta, 0.5 * z * z, delta * (z - 0.5 * delta));
}
Expr HuberSlope(Expr x, Expr target, double delta) {
  const Expr z = x - target;
  return Select(z <= -delta, z.Like(-delta), Select(z >= delta, z.Like(delta), z));
}

constexpr LoweringRule kRules[] = {
    {"aten::mse_loss", LossRule<SquaredError, false>, "", kFloats},
    {"aten::mse_loss_backward", LossBackwardRule<SquaredErrorSlope, false>, "", kFloats},
    {"aten::smooth_l1_loss", LossRule<SmoothL1, true>, "", kFloats},
    {"aten::smooth_l1_loss_backward", LossBackwardRule<SmoothL1Slope, true>, "", kFloats},
    {"aten::huber_loss", LossRule<Huber, true>, "", kFloats},
    {"aten::huber_loss_backward", LossBackwardRule<HuberSlope, true>, "", kFloats},
};

}  // namespace

std::span<const LoweringRule> LossRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
