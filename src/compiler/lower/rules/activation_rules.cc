// SPDX-License-Identifier: Apache-2.0
//
// Activations, by the formulas of libtorch's own kernels.
#include <cmath>

#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

Expr Relu(Expr x) {
  return Max(x, x.Like(0));
}

Expr Silu(Expr x) {
  return x / (1.0 + Exp(-x));
}

Expr Mish(Expr x) {
  return x * Tanh(Log1p(Exp(x)));
}

// 0 below -3, 6 above 3.
Expr HardStep(Expr x) {
  return Min(Max(x + 3.0, x.Like(0)), x.Like(6));
}

Expr Hardswish(Expr x) {
  return x * HardStep(x) / 6.0;
}

Expr Hardsigmoid(Expr x) {
  return HardStep(x) / 6.0;
}

Expr Gelu(Expr x) {
  return x * NormalCdf(x);
}

Expr ExactGelu(Expr x) {
  return x * 0.5 * (1.0 + Erf(x * M_SQRT1_2));
}

Expr CubicOf(Expr x) {
  constexpr double kBeta = M_SQRT2 * M_2_SQRTPI * 0.5;
  return kBeta * (x + 0.044715 * (x * x * x));
}

// 1 + tanh(y) = 2 / (1 + exp(-2 * y)), which has more digits where it is small.
Expr GeluByTanh(Expr x) {
  return x / (1.0 + Exp(-2.0 * CubicOf(x)));
}

Expr ExactGeluByTanh(Expr x) {
  return 0.5 * x * (1.0 + Tanh(CubicOf(x)));
}

bool GeluRule(Call& call) {
  const bool exact = call.options().exact;
  if (call.String(1) == "tanh") return exact ? Unary<ExactGeluByTanh>(call) : Unary<GeluByTanh>(call);
  return exact ? Unary<ExactGelu>(call) : Unary<Gelu>(call);
}

bool LeakyRelu(Call& call) {
  return Each(call, {0}, [&](const Operands& x) { return Select(x[0] > 0.0, x[0], x[0] * call.Double(1)); });
}

/// Below 0: (exp(x * input_scale) - 1) * alpha * scale; else x * scale.
bool ElusOf(Call& call, double alpha, double scale, double input_scale) {
  return Each(call, {0}, [&](const Operands& x) {
    const Expr below = (Exp(x[0] * input_scale) - 1.0) * (alpha * scale);
    return Select(x[0] <= 0.0, below, scale == 1 ? x[0] : x[0] * scale);
  });
}

bool Elu(Call& call) {
  return ElusOf(call, call.Double(1), call.Double(2), call.Double(3));
}
bool Celu(Call& call) {
  return ElusOf(call, call.Double(1), 1, 1 / call.Double(1));
}
bool Selu(Call& call) {
  return ElusOf(call, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1);
}

bool Softplus(Call& call) {
  const double beta = call.Double(1);
  return Each(call, {0}, [&](const Operands& x) {
    const Expr scaled = x[0] * beta;
    return Select(scaled > call.Double(2), x[0], Log1p(Exp(scaled)) / beta);
  });
}

bool Hardshrink(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = call.Described(0).dtype;
  const Expr x = LoadOperand(call, loop, 0, dtype);
  const Expr width = LoadOperand(call, loop, 1, dtype);
  call.DefineEach(0, loop, Select(And(x >= -width, x <= width), x.Like(0), x));
  return true;
}

// NaN stays; the 0 is positive, as in libtorch's vectors.
bool Softshrink(Call& call) {
  const double width = call.Double(1);
  return Each(call, {0}, [&](const Operands& x) {
    return Select(x[0] > width, x[0] - width, Select(x[0] < -width, x[0] + width, Abs(x[0]) * 0.0));
  });
}

// The second result is what backward needs.
bool LogSigmoid(Call& call) {
  // The exponential of libtorch's vectors; that of its operator exp has other bits.
  const auto exp = [&](Expr x) { return call.options().exact ? ExpOfNegative(-Abs(x)) : Exp(-Abs(x)); };
  LoopBuilder output = call.LoopOver(0);
  const Expr x = output.LoadBroadcast(call.Tensor(0));
  call.DefineEach(0, output, Min(x, x.Like(0)) - Log1p(exp(x)));
  if (call.Result(1).sizes != call.Described(0).sizes) return true;
  LoopBuilder buffer = call.LoopOver(1);
  call.DefineEach(1, buffer, exp(buffer.LoadBroadcast(call.Tensor(0))));
  return true;
}

// What libtorch makes of prelu; the weight has been brought to the dimensions of x.
Expr Prelu(Expr x, Expr weight) {
  return Select(x > 0.0, x, weight * x);
}

constexpr LoweringRule kRules[] = {
    {"aten::relu", Unary<Relu>, "NaN stays", kAnyButBool},
    {"aten::silu", Unary<Silu>, "", kFloats},
    {"aten::mish", Unary<Mish>, "", kFloats},
    {"aten::hardswish", Unary<Hardswish>, "", kFloats},
    {"aten::hardsigmoid", Unary<Hardsigmoid>, "", kFloats},
    {"aten::gelu", GeluRule, "by erf or tanh", kFloats},
    {"aten::leaky_relu", LeakyRelu, "", kFloats},
    {"aten::elu", Elu, "", kFloats},
    {"aten::celu", Celu, "", kFloats},
    {"aten::selu", Selu, "", kFloats},
    {"aten::softplus", Softplus, "", kFloats},
    {"aten::hardshrink", Hardshrink, "", kFloats},
    {"aten::softshrink", Softshrink, "", kFloats},
    {"aten::log_sigmoid_forward", LogSigmoid, "", kFloats},
    {"aten::_prelu_kernel", Binary<Prelu>, "prelu", kFloats},
};

}  // namespace

std::span<const LoweringRule> ActivationRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
