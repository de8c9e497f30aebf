// SPDX-License-Identifier: Apache-2.0
//
// Gradients of activations, by the formulas of libtorch's own kernels. In all of them g is the gradient that
// comes in. Where libtorch's vector code and its scalar code differ, at NaN and at some bounds, it is the
// vector code's way.
#include <cmath>

#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

Expr SigmoidBackward(Expr g, Expr y) {
  return g * (1.0 - y) * y;
}

Expr TanhBackward(Expr g, Expr y) {
  return g * (1.0 - y * y);
}

Expr Sigmoid(Expr x) {
  return 1.0 / (1.0 + Exp(-x));
}

Expr SiluBackward(Expr g, Expr x) {
  const Expr s = Sigmoid(x);
  return g * s * (1.0 + x * (1.0 - s));
}

Expr MishBackward(Expr g, Expr x) {
  const Expr t = Tanh(Log1p(Exp(x)));
  return g * (t + x * Sigmoid(x) * (1.0 - t * t));
}

Expr HardswishBackward(Expr g, Expr x) {
  return Select(x <= -3.0, g.Like(0), Select(x >= 3.0, g, g * (x / 3.0 + 0.5)));
}

Expr HardsigmoidBackward(Expr g, Expr x) {
  // A Float in libtorch's kernel for any dtype.
  return Select(And(x > -3.0, x < 3.0), g * double{1.0F / 6.0F}, g.Like(0));
}

Expr GeluBackwardWith(Expr cdf, Expr g, Expr x) {
  const Expr pdf = M_2_SQRTPI * M_SQRT1_2 * 0.5 * Exp(-0.5 * x * x);
  return g * (cdf + x * pdf);
}

Expr GeluBackward(Expr g, Expr x) {
  return GeluBackwardWith(NormalCdf(x), g, x);
}

Expr ExactGeluBackward(Expr g, Expr x) {
  return GeluBackwardWith(0.5 * (1.0 + Erf(x * M_SQRT1_2)), g, x);
}

Expr GeluByTanhBackward(Expr g, Expr x) {
  constexpr double kBeta = M_SQRT2 * M_2_SQRTPI * 0.5;
  constexpr double kKappa = 0.044715;
  const Expr square = x * x;
  const Expr t = Tanh(kBeta * (x + kKappa * (square * x)));
  const Expr slope = kBeta * (1.0 + 3 * kKappa * square);
  return g * (0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope);
}

bool GeluBackwardRule(Call& call) {
  if (call.String(2) == "tanh") return Binary<GeluByTanhBackward>(call);
  return call.options().exact ? Binary<ExactGeluBackward>(call) : Binary<GeluBackward>(call);
}

bool ThresholdBackward(Call& call) {
  return Each(call, {0, 1},
              [&](const Operands& x) { return Select(x[1] <= call.Double(2), x[0].Like(0), x[0]); });
}

bool HardtanhBackward(Call& call) {
  return Each(call, {0, 1}, [&](const Operands& x) {
    return Select(And(x[1] > call.Double(2), x[1] < call.Double(3)), x[0], x[0].Like(0));
  });
}

bool LeakyReluBackward(Call& call) {
  return Each(call, {0, 1},
              [&](const Operands& x) { return Select(x[1] > 0.0, x[0], x[0] * call.Double(2)); });
}

bool EluBackward(Call& call) {
  const double scale = call.Double(2);
  const double negative = call.Double(1) * scale;
  const double inner = call.Double(3);
  const bool is_result = call.Bool(4);
  return Each(call, {0, 5}, [&](const Operands& x) {
    const Expr slope = is_result ? x[1] + negative : negative * Exp(x[1] * inner);
    return Select(x[1] > 0.0, x[0] * scale, x[0] * inner * slope);
  });
}

bool SoftplusBackward(Call& call) {
  const double beta = call.Double(2);
  return Each(call, {0, 1}, [&](const Operands& x) {
    const Expr z = Exp(x[1] * beta);
    return Select(x[1] * beta > call.Double(3), x[0], x[0] * z / (z + 1.0));
  });
}

bool ShrinkBackward(Call& call) {
  const double width = call.Double(2);
  return Each(call, {0, 1},
              [&](const Operands& x) { return Select(Or(x[1] > width, x[1] < -width), x[0], x[0].Like(0)); });
}

bool LogSigmoidBackward(Call& call) {
  return Each(call, {0, 1, 2}, [&](const Operands& x) {
    const Expr fraction = x[2] / (1.0 + x[2]);
    return x[0] * Select(x[1] < 0.0, 1.0 - fraction, fraction);
  });
}

// To x, and to the weight, of which each number of x has its own here.
bool PreluBackward(Call& call) {
  for (const size_t result : {0, 1}) {
    LoopBuilder loop = call.LoopOver(result);
    const Expr g = loop.LoadBroadcast(call.Tensor(0));
    const Expr x = loop.LoadBroadcast(call.Tensor(1));
    const Expr to_x = Select(x > 0.0, g, loop.LoadBroadcast(call.Tensor(2)) * g);
    call.DefineEach(result, loop, result == 0 ? to_x : Select(x > 0.0, g.Like(0), x * g));
  }
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::sigmoid_backward", Binary<SigmoidBackward>, "g * (1 - y) * y", kFloats},
    {"aten::tanh_backward", Binary<TanhBackward>, "g * (1 - y * y)", kFloats},
    {"aten::silu_backward", Binary<SiluBackward>, "", kFloats},
    {"aten::mish_backward", Binary<MishBackward>, "", kFloats},
    {"aten::hardswish_backward", Binary<HardswishBackward>, "", kFloats},
    {"aten::hardsigmoid_backward", Binary<HardsigmoidBackward>, "", kFloats},
    {"aten::gelu_backward", GeluBackwardRule, "by erf or tanh", kFloats},
    {"aten::threshold_backward", ThresholdBackward, "of relu too", kAnyButBool},
    {"aten::hardtanh_backward", HardtanhBackward, "", kFloats},
    {"aten::leaky_relu_backward", LeakyReluBackward, "", kFloats},
    {"aten::elu_backward", EluBackward, "", kFloats},
    {"aten::softplus_backward", SoftplusBackward, "", kFloats},
    {"aten::hardshrink_backward", ShrinkBackward, "", kFloats},
    {"aten::softshrink_backward", ShrinkBackward, "", kFloats},
    {"aten::_prelu_kernel_backward", PreluBackward, "of prelu", kFloats},
    {"aten::log_sigmoid_backward", LogSigmoidBackward, "", kFloats},
};

}  // namespace

std::span<const LoweringRule> ActivationBackwardRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
