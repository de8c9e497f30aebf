// SPDX-License-Identifier: Apache-2.0
//
// Each function reduces its argument to a short interval, on which a polynomial is as good as the function.
// The coefficients are minimax ones; tests measure what is left of errors.
#include "compiler/codegen/math/polynomials.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/codegen/math/float_code.h"
#include "compiler/codegen/math/math_functions.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Op;
using Value = llvm::Value*;

constexpr double kLog2E = 1.44269504088896341;
/// ln 2 in two parts, of which the first has so few bits that products with exponents are exact.
constexpr double kLn2High = 0x1.62e400p-1;
constexpr double kLn2Low = 0x1.7f7d1cp-20;

/// x = n * ln 2 + r, |r| <= ln 2 / 2.
struct Power {
  FloatCode::Rounded n;
  Value r;
};

Power SplitPower(FloatCode& f, Value x) {
  const FloatCode::Rounded n = f.RoundProduct(x, kLog2E);
  Value r = f.Fma(n.number, f.Number(-kLn2High), x);
  return {n, f.Fma(n.number, f.Number(-kLn2Low), r)};
}

/// y * 2^n by two factors, so that neither overflows and small results are rounded once.
Value Scaled(FloatCode& f, Value y, Value n) {
  Value half = f.builder().CreateAShr(n, f.Integer(1));
  return f.Mul(f.Mul(y, f.PowerOf2(half)), f.PowerOf2(f.builder().CreateSub(n, half)));
}

/// exp(scale * r), |scale * r| <= ln 2 / 2. Pairs of terms do not wait for each other.
Value ExpOfSmall(FloatCode& f, Value r, int scale = 1) {
  const auto term = [&](double coefficient, int power) {
    return f.Number(coefficient * std::pow(scale, power));
  };
  const auto pair = [&](Value high, Value low) { return f.Fma(high, r, low); };
  Value s = f.Square(r);
  Value sum = f.Fma(pair(term(0x1.694000p-10, 6), term(0x1.125edcp-7, 5)), s,
                    pair(term(0x1.555b5ap-5, 4), term(0x1.555450p-3, 3)));
  return f.Fma(f.Fma(sum, s, pair(term(0x1.fffff6p-2, 2), term(1, 1))), r, f.Number(1));
}

/// exp(x) of -87 <= x <= 88, where a sum of exponents is a product.
Value ExpOfModerate(FloatCode& f, Value x) {
  const Power power = SplitPower(f, x);
  return f.TimesPowerOf2(ExpOfSmall(f, power.r), power.n.bits);
}

/// `moderate`, except for lanes whose argument is larger than `limit`, or NaN. What one lane gets never
/// depends on the others.
Value WithRest(FloatCode& f, Op op, Value x, float limit, Value moderate) {
  // Sizes of Floats compare like their bits, and NaN is larger than all.
  Value size = f.builder().CreateAnd(f.Bits(x), f.Integer(0x7FFFFFFF));
  return f.code().IfAbove(size, std::bit_cast<uint32_t>(limit), moderate, [&] {
    Value is_other = f.builder().CreateFCmpUGT(f.Abs(x), f.Number(limit));
    return f.Select(is_other, CallSleef(f.code(), op, {x}), moderate);
  });
}

Value Exp(FloatCode& f, Value x) {
  return WithRest(f, Op::kExp, x, 87, ExpOfModerate(f, x));
}

Value Exp2(FloatCode& f, Value x) {
  x = f.AtLeast(f.AtMost(x, 129), -151);
  const FloatCode::Rounded n = f.Round(x);
  Value r = f.Mul(f.Sub(x, n.number), f.Number(0.693147180559945309));
  return Scaled(f, ExpOfSmall(f, r), n.bits);
}

/// 2^(x * log2 e), where the product is not rounded, but its second factor is a Float.
Value ExpOfNegative(FloatCode& f, Value x) {
  // Here the power of 2 is 0.
  constexpr double kLowest = -88.02;
  x = f.AtLeast(x, kLowest);
  const FloatCode::Rounded n = f.RoundProduct(x, kLog2E, FloatCode::kExponentBias);
  Value r = f.Fma(x, f.Number(kLog2E), f.Neg(n.number));
  Value power = f.Horner(r, {0x1.5ab444p-10, 0x1.3cecaap-7, 0x1.c6baa2p-5, 0x1.ebf9b4p-3, 0x1.62e424p-1, 1});
  return f.Mul(power, f.FromExponent(n.bits));
}

Value Expm1(FloatCode& f, Value x) {
  // Below -20 it is -1.
  const Power power = SplitPower(f, f.AtLeast(f.AtMost(x, 89), -20));
  Value tail = f.Horner(power.r, {0x1.a01a01a01a01ap-13, 0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7,
                                  0x1.5555555555555p-5, 0x1.5555555555555p-3, 0.5});
  Value q = f.Fma(f.Mul(power.r, power.r), tail, power.r);
  // 2^n * q + (2^n - 1), halved: 2^128 is no Float.
  Value scale = f.PowerOf2(f.builder().CreateSub(power.n.bits, f.Integer(1)));
  Value half = f.Fma(scale, q, f.Sub(scale, f.Number(0.5)));
  return f.WithSignOf(f.Add(half, half), x);
}

/// m * 2^e = x > 0, 2/3 <= m < 4/3.
struct Logarithm {
  Value f;
  Value e;
};

constexpr uint32_t kBitsOfTwoThirds = 0x3F2AAAAB;
constexpr uint32_t kExponentMask = 0xFF800000;

Value ExponentBits(FloatCode& f, Value bits) {
  return f.builder().CreateAnd(f.builder().CreateSub(bits, f.Integer(kBitsOfTwoThirds)),
                               f.Integer(kExponentMask));
}

Value ExponentOf(FloatCode& f, Value exponent_bits) {
  return f.Mul(f.ToFloat(exponent_bits), f.Number(0x1p-23));
}

Logarithm SplitLogarithm(FloatCode& f, Value x) {
  // Denormal numbers have no exponent of their own.
  Value is_denormal = f.IsLess(x, f.Number(std::numeric_limits<float>::min()));
  Value bits = f.Bits(f.Select(is_denormal, f.Mul(x, f.Number(0x1p23)), x));
  Value exponent = ExponentBits(f, bits);
  Value m = f.FromBits(f.builder().CreateSub(bits, exponent));
  Value e = f.Fma(f.ToFloat(exponent), f.Number(0x1p-23), f.Select(is_denormal, f.Number(-23), f.Number(0)));
  return {f.Sub(m, f.Number(1)), e};
}

/// log(1 + f) - f, -1/3 <= f <= 1/3.
Value LogTail(FloatCode& f, Value x) {
  Value s = f.Mul(x, x);
  Value even = f.Horner(s, {-0x1.0ae000p-3, -0x1.f198b2p-4, -0x1.55b36cp-3, -0x1.fffe02p-3});
  Value odd = f.Horner(s, {0x1.208000p-3, 0x1.1e5740p-3, 0x1.99d8b2p-3});
  Value r = f.Fma(odd, x, even);
  r = f.Fma(r, x, f.Number(0x1.5554fap-2));
  r = f.Fma(r, x, f.Number(-0.5));
  return f.Mul(r, s);
}

/// Of arguments that have no logarithm, or an infinite one.
Value WithSpecials(FloatCode& f, Value x, Value result, double pole) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Value is_finite = f.IsLess(x, f.Number(kInfinity));
  result = f.Select(is_finite, result, x);
  Value is_pole = f.builder().CreateFCmpOEQ(x, f.Number(pole));
  result = f.Select(is_pole, f.Number(-kInfinity), result);
  return f.Select(f.IsLess(x, f.Number(pole)), f.Number(std::numeric_limits<double>::quiet_NaN()), result);
}

/// e * log(2) + log(1 + f), in the base whose logarithms of e and 2 these are.
struct Base {
  double of_e_high;
  double of_e_low;
  double of_2_high;
  double of_2_low;
};

constexpr Base kNatural{1, 0, 0x1.62e400p-1, 0x1.7f7d1cp-20};
constexpr Base kBinary{0x1.715476p+0, 0x1.4ae0c0p-26, 1, 0};
constexpr Base kDecimal{0x1.bcb7b2p-2, -0x1.5b235ep-27, 0x1.344000p-2, 0x1.3509f8p-18};

Value LogarithmOf(FloatCode& f, const Logarithm& split, const Base& base) {
  Value tail = LogTail(f, split.f);
  if (base.of_e_high != 1) {
    tail = f.Mul(tail, f.Number(base.of_e_high));
    tail = f.Fma(split.f, f.Number(base.of_e_low), tail);
  }
  tail = f.Fma(split.e, f.Number(base.of_2_low), tail);
  Value head = f.Fma(split.f, f.Number(base.of_e_high), tail);
  return f.Fma(split.e, f.Number(base.of_2_high), head);
}

template <const Base& kBase>
Value Log(FloatCode& f, Value x) {
  return WithSpecials(f, x, LogarithmOf(f, SplitLogarithm(f, x), kBase), 0);
}

Value Log1p(FloatCode& f, Value x) {
  Value one = f.Number(1);
  Value sum = f.Add(x, one);
  // What the sum has lost of x, or of 1.
  Value is_large = f.IsLess(one, x);
  Value lost = f.Select(is_large, f.Sub(one, f.Sub(sum, x)), f.Sub(x, f.Sub(sum, one)));
  Value bits = f.Bits(sum);
  Value exponent = ExponentBits(f, bits);
  Value m = f.FromBits(f.builder().CreateSub(bits, exponent));
  // What large sums have lost matters no more, and their factor is no Float.
  Value limited = f.builder().CreateBinaryIntrinsic(llvm::Intrinsic::smin, exponent, f.Integer(0x3F000000));
  Value scale = f.FromBits(f.builder().CreateSub(f.Integer(0x3F800000), limited));
  const Logarithm split{f.Fma(lost, scale, f.Sub(m, one)), ExponentOf(f, exponent)};
  Value result = WithSpecials(f, x, LogarithmOf(f, split, kNatural), -1);
  return f.WithSignOf(result, x);
}

Value Tanh(FloatCode& f, Value x) {
  Value size = f.Abs(x);
  Value s = f.Square(x);
  Value tail = f.Fma(f.Fma(f.Number(0x1.0da90ep-6), s, f.Number(-0x1.af96aap-5)), f.Mul(s, s),
                     f.Fma(f.Number(0x1.10d01ap-3), s, f.Number(-0x1.55545ap-2)));
  Value small = f.Fma(f.Mul(tail, s), size, size);
  // From 9.02 on it is 1. Half of what exp is split into: the argument is twice as large.
  Value limited = f.AtMost(size, 9.1);
  const FloatCode::Rounded n = f.RoundProduct(limited, 2 * kLog2E);
  Value r = f.Fma(n.number, f.Number(-kLn2High / 2), limited);
  r = f.Fma(n.number, f.Number(-kLn2Low / 2), r);
  Value power = f.TimesPowerOf2(ExpOfSmall(f, r, 2), n.bits);
  Value large = f.Sub(f.Number(1), f.Div(f.Number(2), f.Add(power, f.Number(1))));
  // A NaN is small: sums of exponents could make a number of it.
  constexpr double kLarge = 0.5494;
  return f.WithSign(f.Select(f.IsLess(f.Number(kLarge), size), large, small), f.SignOf(x));
}

/// 1/2 + x * P(x^2) / Q(x^2), an odd function of x and a half.
Value NormalCdf(FloatCode& f, Value x) {
  // Where the quotient is 1/2 / x to the last place, so that what is left is 0 or 1.
  constexpr double kLimit = 0x1.5c0006p+2;
  x = f.AtLeast(f.AtMost(x, kLimit), -kLimit);
  Value s = f.Square(x);
  Value s2 = f.Mul(s, s);
  const auto polynomial = [&](const std::array<double, 6>& c) {
    const auto pair = [&](double high, double low) { return f.Fma(f.Number(high), s, f.Number(low)); };
    return f.Fma(f.Fma(pair(c[0], c[1]), s2, pair(c[2], c[3])), s2, pair(c[4], c[5]));
  };
  Value numerator = polynomial(
      {0x1.880e74p-26, 0x1.a91054p-18, 0x1.5ec002p-13, 0x1.31e778p-8, 0x1.141ec4p-5, 0x1.988452p-2});
  Value denominator =
      polynomial({0x1.41a56ap-20, 0x1.329c7cp-14, 0x1.ebaf8ep-10, 0x1.d3ef6ep-6, 0x1.012eb4p-2, 1});
  return f.AtLeast(f.Fma(x, f.Div(numerator, denominator), f.Number(0.5)), 0);
}

Value Erf(FloatCode& f, Value x) {
  Value t = f.Abs(x);
  Value s = f.Square(x);
  Value small = f.Horner(
      s, {-0x1.38e000p-11, 0x1.471a58p-8, -0x1.b691b2p-6, 0x1.ce1c44p-4, -0x1.812700p-2, 0x1.06eba8p-3});
  small = f.Fma(small, x, x);
  // 1 - exp(polynomial)
  Value high = f.Fma(f.Number(-0x1.220000p-16), t, f.Number(0x1.91cfb2p-12));
  Value low = f.Fma(f.Number(-0x1.fd1438p-9), t, f.Number(0x1.8d6342p-6));
  Value r = f.Fma(high, s, low);
  for (const double coefficient : {-0x1.b55cb8p-4, -0x1.450aa0p-1, -0x1.079d0cp-3})
    r = f.Fma(r, t, f.Number(coefficient));
  r = f.Fma(r, t, f.Neg(t));
  Value large = f.WithSignOf(f.Sub(f.Number(1), ExpOfModerate(f, f.AtLeast(r, -87))), x);
  return f.Select(f.IsLess(f.Number(0.927734375), t), large, small);
}

/// x = n * pi / 2 + r + rest, |r| <= pi / 4. The first difference is exact.
struct Angle {
  Value n;
  Value r;
  Value rest;
};

constexpr float kLargestAngle = 65536;

Angle SplitAngle(FloatCode& f, Value x) {
  const FloatCode::Rounded n = f.Round(f.Mul(x, f.Number(0.636619772367581343)));
  constexpr double kFirst = 0x1.921fb6p+0;
  constexpr double kSecond = -0x1.777a5cp-25;
  constexpr double kThird = -0x1.ee59dap-50;
  Value minus_n = f.Neg(n.number);
  Value first = f.Fma(minus_n, f.Number(kFirst), x);
  Value r = f.Fma(minus_n, f.Number(kSecond), first);
  return {n.bits, r, f.Mul(minus_n, f.Number(kThird))};
}

/// The sine of x + quarters * pi / 2.
Value SineFrom(FloatCode& f, Value x, uint32_t quarters) {
  llvm::IRBuilder<>& builder = f.builder();
  const Angle angle = SplitAngle(f, x);
  Value s = f.Square(angle.r);
  Value sine = f.Horner(s, {2.86567956e-6, -1.98559923e-4, 8.33338592e-3, -1.66666672e-1});
  sine = f.Add(f.Fma(f.Mul(sine, s), angle.r, angle.rest), angle.r);
  Value cosine = f.Horner(s, {2.44677067e-5, -1.38877297e-3, 4.16666567e-2, -0.5});
  cosine = f.Fma(cosine, s, f.Number(1));
  Value quarter = builder.CreateAdd(angle.n, f.Integer(quarters));
  Value is_odd = builder.CreateICmpNE(builder.CreateAnd(quarter, f.Integer(1)), f.Integer(0));
  Value result = f.Select(is_odd, cosine, sine);
  Value sign = builder.CreateShl(builder.CreateAnd(quarter, f.Integer(2)), f.Integer(30));
  return f.FromBits(builder.CreateXor(f.Bits(result), sign));
}

template <Op kOp, uint32_t kQuarters>
Value Sine(FloatCode& f, Value x) {
  Value result = SineFrom(f, x, kQuarters);
  if (kOp == Op::kSin) {
    // The sum of parts has lost the sign of 0.
    result = f.Select(f.builder().CreateFCmpOEQ(x, f.Number(0)), x, result);
  }
  return WithRest(f, kOp, x, kLargestAngle, result);
}

struct Function {
  Op op;
  Value (*write)(FloatCode&, Value);
};

constexpr Function kFunctions[] = {
    {Op::kExp, Exp},
    {Op::kExp2, Exp2},
    {Op::kExpOfNegative, ExpOfNegative},
    {Op::kExpm1, Expm1},
    {Op::kLog, Log<kNatural>},
    {Op::kLog2, Log<kBinary>},
    {Op::kLog10, Log<kDecimal>},
    {Op::kLog1p, Log1p},
    {Op::kSin, Sine<Op::kSin, 0>},
    {Op::kCos, Sine<Op::kCos, 1>},
    {Op::kTanh, Tanh},
    {Op::kErf, Erf},
    {Op::kNormalCdf, NormalCdf},
};

}  // namespace

llvm::Value* Polynomial(FunctionWriter& code, Op op, llvm::Value* x) {
  const Function* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                          [&](const Function& candidate) { return candidate.op == op; });
  const bool is_float = x->getType()->getScalarType()->isFloatTy();
  if (function == std::end(kFunctions) || !is_float || !code.processor.has_fma) return nullptr;
  FloatCode floats(code, x->getType());
  return function->write(floats, x);
}

}  // namespace culprit::compiler::codegen
