// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

template <Op kOp>
Expr Function(Expr x) {
  return Apply(kOp, x);
}

Expr Rsqrt(Expr x) {
  return 1.0 / Sqrt(x);
}

Expr Reciprocal(Expr x) {
  return 1.0 / x;
}

// Half and BFloat16 are not MKL's.
bool SqrtRule(Call& call) {
  const bool by_mkl = call.options().exact && !at::isReducedFloatingType(call.Result().dtype);
  return by_mkl ? FloatUnary<Function<Op::kSqrtByMkl>>(call) : FloatUnary<Sqrt>(call);
}

Expr Sigmoid(Expr x) {
  return 1.0 / (1.0 + Exp(-x));
}

// NaN is no number above or below 0, so it has sign 0.
Expr Sign(Expr x) {
  if (x.type() == Type::Bool) return x;
  return (x > 0.0).As(x.type()) - (x < 0.0).As(x.type());
}

Expr Square(Expr x) {
  return x * x;
}

Expr Negative(Expr x) {
  return -x;
}

Expr Same(Expr x) {
  return x;
}

Expr Frac(Expr x) {
  return x - Apply(Op::kTrunc, x);
}

Expr LogicalNot(Expr x) {
  return Not(x.As(Type::Bool));
}

Expr IsInf(Expr x) {
  if (!loops::IsFloat(x.type())) return IsNan(x);
  return Equal(Abs(x), x.Like(INFINITY));
}

Expr IsFinite(Expr x) {
  if (!loops::IsFloat(x.type())) return Not(IsNan(x));
  return Abs(x) < INFINITY;
}

Expr SignBit(Expr x) {
  if (x.type() == Type::Bool) return IsNan(x);
  // The sign of a zero or a NaN shows on another number only.
  if (loops::IsFloat(x.type())) return Apply(Op::kCopysign, x.Like(1), x) < 0.0;
  return x < 0.0;
}

// floor, ceil, trunc and round leave integers as they are.
template <Op kOp>
Expr RoundIfFloat(Expr x) {
  return loops::IsFloat(x.type()) ? Apply(kOp, x) : x;
}

bool NanToNum(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = call.Described(0).dtype;
  const Expr x = LoadOperand(call, loop, 0, dtype);
  if (!loops::IsFloat(x.type())) {
    call.DefineEach(0, loop, x);
    return true;
  }
  // The largest number of the dtype, which for Half is none of Float's.
  if (dtype == at::kHalf || dtype == at::kBFloat16) return false;
  const double largest =
      dtype == at::kFloat ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  const double nan = call.IsNone(1) ? 0.0 : call.Double(1);
  const double positive = call.IsNone(2) ? largest : call.Double(2);
  const double negative = call.IsNone(3) ? -largest : call.Double(3);
  const Expr finite = Select(Equal(x, x.Like(INFINITY)), x.Like(positive),
                             Select(Equal(x, x.Like(-INFINITY)), x.Like(negative), x));
  call.DefineEach(0, loop, Select(IsNan(x), x.Like(nan), finite));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::abs", Unary<Abs>, "of integers too", kAnyButBool},
    {"aten::neg", Unary<Negative>, "of integers too"},
    {"aten::positive", Unary<Same>, ""},
    {"aten::sign", Unary<Sign>, "0 for NaN"},
    {"aten::sgn", Unary<Sign>, "the same for real numbers"},
    {"aten::signbit", Unary<SignBit>, "true for -0"},
    {"aten::square", Unary<Square>, ""},
    {"aten::floor", Unary<RoundIfFloat<Op::kFloor>>, "", kAnyButBool},
    {"aten::ceil", Unary<RoundIfFloat<Op::kCeil>>, "", kAnyButBool},
    {"aten::trunc", Unary<RoundIfFloat<Op::kTrunc>>, "", kAnyButBool},
    {"aten::round", Unary<RoundIfFloat<Op::kRound>>, "half to even", kAnyButBool},
    {"aten::frac", Unary<Frac>, "x - trunc(x)", kFloats},
    {"aten::logical_not", Unary<LogicalNot>, ""},
    {"aten::bitwise_not", Unary<Not>, "", kIntegersAndBool},
    {"aten::isnan", Unary<IsNan>, ""},
    {"aten::isinf", Unary<IsInf>, ""},
    {"aten::isfinite", Unary<IsFinite>, ""},
    {"aten::nan_to_num", NanToNum, ""},
    {"aten::exp", FloatUnary<Exp>, ""},
    {"aten::exp2", FloatUnary<Function<Op::kExp2>>, ""},
    {"aten::expm1", FloatUnary<Expm1>, ""},
    {"aten::log", FloatUnary<Log>, ""},
    {"aten::log2", FloatUnary<Function<Op::kLog2>>, ""},
    {"aten::log10", FloatUnary<Function<Op::kLog10>>, ""},
    {"aten::log1p", FloatUnary<Log1p>, ""},
    {"aten::sin", FloatUnary<Function<Op::kSin>>, ""},
    {"aten::cos", FloatUnary<Function<Op::kCos>>, ""},
    {"aten::tan", FloatUnary<Function<Op::kTan>>, ""},
    {"aten::asin", FloatUnary<Function<Op::kAsin>>, ""},
    {"aten::acos", FloatUnary<Function<Op::kAcos>>, ""},
    {"aten::atan", FloatUnary<Function<Op::kAtan>>, ""},
    {"aten::sinh", FloatUnary<Function<Op::kSinh>>, ""},
    {"aten::cosh", FloatUnary<Function<Op::kCosh>>, ""},
    {"aten::tanh", FloatUnary<Tanh>, ""},
    {"aten::asinh", FloatUnary<Function<Op::kAsinh>>, ""},
    {"aten::acosh", FloatUnary<Function<Op::kAcosh>>, ""},
    {"aten::atanh", FloatUnary<Function<Op::kAtanh>>, ""},
    {"aten::erf", FloatUnary<Erf>, ""},
    {"aten::erfc", FloatUnary<Function<Op::kErfc>>, ""},
    {"aten::lgamma", FloatUnary<Function<Op::kLgamma>>, ""},
    {"aten::sqrt", SqrtRule, ""},
    {"aten::rsqrt", FloatUnary<Rsqrt>, "1 / sqrt(x)"},
    {"aten::reciprocal", FloatUnary<Reciprocal>, "1 / x"},
    {"aten::sigmoid", FloatUnary<Sigmoid>, "1 / (1 + exp(-x))"},
};

}  // namespace

std::span<const LoweringRule> UnaryRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
