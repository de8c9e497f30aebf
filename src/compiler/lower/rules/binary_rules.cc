// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

Expr Multiply(Expr x, Expr y) {
  return x * y;
}
Expr Divide(Expr x, Expr y) {
  return x / y;
}
template <Op kOp>
Expr Function(Expr x, Expr y) {
  return Apply(kOp, x, y);
}
Expr Less(Expr x, Expr y) {
  return x < y;
}
Expr LessOrEqual(Expr x, Expr y) {
  return x <= y;
}
Expr Greater(Expr x, Expr y) {
  return x > y;
}
Expr GreaterOrEqual(Expr x, Expr y) {
  return x >= y;
}
Expr LogicalAnd(Expr x, Expr y) {
  return And(x.As(Type::Bool), y.As(Type::Bool));
}
Expr LogicalOr(Expr x, Expr y) {
  return Or(x.As(Type::Bool), y.As(Type::Bool));
}
Expr LogicalXor(Expr x, Expr y) {
  return Apply(Op::kXor, x.As(Type::Bool), y.As(Type::Bool));
}
// The other one if one is NaN.
Expr FMax(Expr x, Expr y) {
  return Select(IsNan(x), y, Select(IsNan(y), x, Max(x, y)));
}
Expr FMin(Expr x, Expr y) {
  return Select(IsNan(x), y, Select(IsNan(y), x, Min(x, y)));
}

/// By a number that keeps its digits.
template <BinaryFunction kFunction>
bool ScaledIn(Call& call, at::ScalarType dtype) {
  LoopBuilder loop = call.LoopOver(0);
  const Expr x = LoadOperand(call, loop, 0, dtype);
  call.DefineEach(0, loop, kFunction(x, LoadOperand(call, loop, 1, dtype, Digits::kAllOfOneNumber)));
  return true;
}
bool Multiplication(Call& call) {
  return ScaledIn<Multiply>(call, PromotedType(call, {0, 1}));
}
bool Division(Call& call) {
  return ScaledIn<Divide>(call, PromotedFloat(call, {0, 1}));
}

/// a + alpha * b, or a - alpha * b, or with the operands exchanged.
template <bool kSubtract, bool kExchanged>
bool AddScaled(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = PromotedType(call, {0, 1});
  Expr x = LoadOperand(call, loop, kExchanged ? 1 : 0, dtype);
  Expr y = LoadOperand(call, loop, kExchanged ? 0 : 1, dtype);
  const c10::Scalar alpha = call.Number(2);
  if (alpha.toDouble() != 1) y = loop.Number(alpha, y.type()) * y;
  call.DefineEach(0, loop, kSubtract ? x - y : x + y);
  return true;
}

/// Whether the second operand is a number that integers can be divided by without asking.
bool DividesByNumber(const Call& call) {
  if (call.IsTensor(1)) return false;
  const double divisor = call.Double(1);
  return divisor != 0 && divisor != -1;
}

// libtorch's own: the quotient comes from the remainder, so that both agree.
Expr FloorDivFloat(Expr x, Expr y) {
  const Expr remainder = Apply(Op::kFmod, x, y);
  Expr quotient = (x - remainder) / y;
  const Expr differs = Apply(Op::kXor, y < 0.0, remainder < 0.0);
  quotient = Select(And(NotEqual(remainder, x.Like(0)), differs), quotient - 1.0, quotient);
  const Expr down = Apply(Op::kFloor, quotient);
  const Expr rounded = Select(quotient - down > 0.5, down + 1.0, down);
  const Expr nonzero = Select(Equal(quotient, x.Like(0)), Apply(Op::kCopysign, x.Like(0), x / y), rounded);
  return Select(Equal(y, x.Like(0)), x / y, nonzero);
}

Expr RemainderFloat(Expr x, Expr y) {
  const Expr remainder = Apply(Op::kFmod, x, y);
  const Expr differs = Apply(Op::kXor, y < 0.0, remainder < 0.0);
  return Select(And(NotEqual(remainder, x.Like(0)), differs), remainder + y, remainder);
}

Expr TruncDivFloat(Expr x, Expr y) {
  return Apply(Op::kTrunc, x / y);
}

/// Division of integers by a tensor may be by 0, which eager refuses, so that is a call.
template <BinaryFunction kOfFloats, Op kOfIntegers, Digits kDigits = Digits::kOfDtype>
bool DivideInto(Call& call) {
  const at::ScalarType dtype = PromotedType(call, {0, 1});
  const bool is_float = at::isFloatingType(dtype);
  if (dtype == at::kBool || (!is_float && !DividesByNumber(call))) return false;
  LoopBuilder loop = call.LoopOver(0);
  const Expr x = LoadOperand(call, loop, 0, dtype);
  const Expr y = LoadOperand(call, loop, 1, dtype, kDigits);
  call.DefineEach(0, loop, is_float ? kOfFloats(x, y) : Apply(kOfIntegers, x, y));
  return true;
}

bool FloorDivision(Call& call) {
  return DivideInto<FloorDivFloat, Op::kFloorDiv, Digits::kAllOfOneNumber>(call);
}

bool DivideWithMode(Call& call) {
  if (call.IsNone(2)) return Division(call);
  if (call.String(2) == "floor") return FloorDivision(call);
  return DivideInto<TruncDivFloat, Op::kTruncDiv, Digits::kAllOfOneNumber>(call);
}

/// Also a number may make floats of integers, which have no bits for libtorch.
template <BinaryFunction kFunction>
bool Bitwise(Call& call) {
  return at::isIntegralType(PromotedType(call, {0, 1}), /*includeBool=*/true) && Binary<kFunction>(call);
}

/// How far is a number, so that it is known to be within the bits of the type.
template <Op kOp>
bool Shift(Call& call) {
  const at::ScalarType dtype = PromotedType(call, {0, 1});
  if (!at::isIntegralType(dtype, /*includeBool=*/false) || call.IsTensor(1)) return false;
  const int64_t by = call.Int(1);
  if (by < 0 || by >= static_cast<int64_t>(8 * c10::elementSize(dtype))) return false;
  return Binary<Function<kOp>>(call);
}

constexpr LoweringRule kRules[] = {
    {"aten::add.Tensor", AddScaled<false, false>, "x + alpha * y"},
    {"aten::add.Scalar", AddScaled<false, false>, ""},
    {"aten::sub.Tensor", AddScaled<true, false>, "x - alpha * y"},
    {"aten::sub.Scalar", AddScaled<true, false>, ""},
    {"aten::rsub.Tensor", AddScaled<true, true>, "y - alpha * x"},
    {"aten::rsub.Scalar", AddScaled<true, true>, ""},
    {"aten::mul.Tensor", Multiplication, ""},
    {"aten::mul.Scalar", Multiplication, ""},
    {"aten::div.Tensor", Division, "of integers in floats"},
    {"aten::div.Scalar", Division, ""},
    {"aten::true_divide.Tensor", Division, ""},
    {"aten::div.Tensor_mode", DivideWithMode, "integers by numbers only"},
    {"aten::div.Scalar_mode", DivideWithMode, ""},
    {"aten::floor_divide", FloorDivision, "integers by numbers only"},
    {"aten::floor_divide.Scalar", FloorDivision, ""},
    {"aten::remainder.Tensor", DivideInto<RemainderFloat, Op::kRemainder>, "integers by numbers only"},
    {"aten::remainder.Scalar", DivideInto<RemainderFloat, Op::kRemainder>, ""},
    {"aten::fmod.Tensor", DivideInto<Function<Op::kFmod>, Op::kFmod>, "integers by numbers only"},
    {"aten::fmod.Scalar", DivideInto<Function<Op::kFmod>, Op::kFmod>, ""},
    {"aten::maximum", Binary<Max>, "NaN if one is"},
    {"aten::minimum", Binary<Min>, "NaN if one is"},
    {"aten::max.other", Binary<Max>, ""},
    {"aten::min.other", Binary<Min>, ""},
    {"aten::fmax", Binary<FMax>, "the other one if one is NaN"},
    {"aten::fmin", Binary<FMin>, ""},
    {"aten::atan2", FloatBinary<Function<Op::kAtan2>>, ""},
    {"aten::hypot", FloatBinary<Function<Op::kHypot>>, "", kFloats},
    {"aten::copysign.Tensor", FloatBinary<Function<Op::kCopysign>>, ""},
    {"aten::copysign.Scalar", FloatBinary<Function<Op::kCopysign>>, ""},
    // BFloat16 is not counted in Float's smallest steps.
    {"aten::nextafter", FloatBinary<Function<Op::kNextafter>>, "not of BFloat16", kFloatAndDouble},
    {"aten::eq.Tensor", Binary<Equal>, ""},
    {"aten::eq.Scalar", Binary<Equal>, ""},
    {"aten::ne.Tensor", Binary<NotEqual>, ""},
    {"aten::ne.Scalar", Binary<NotEqual>, ""},
    {"aten::lt.Tensor", Binary<Less>, ""},
    {"aten::lt.Scalar", Binary<Less>, ""},
    {"aten::le.Tensor", Binary<LessOrEqual>, ""},
    {"aten::le.Scalar", Binary<LessOrEqual>, ""},
    {"aten::gt.Tensor", Binary<Greater>, ""},
    {"aten::gt.Scalar", Binary<Greater>, ""},
    {"aten::ge.Tensor", Binary<GreaterOrEqual>, ""},
    {"aten::ge.Scalar", Binary<GreaterOrEqual>, ""},
    {"aten::logical_and", Binary<LogicalAnd>, ""},
    {"aten::logical_or", Binary<LogicalOr>, ""},
    {"aten::logical_xor", Binary<LogicalXor>, ""},
    {"aten::bitwise_and.Tensor", Bitwise<And>, ""},
    {"aten::bitwise_and.Scalar", Bitwise<And>, ""},
    {"aten::bitwise_or.Tensor", Bitwise<Or>, ""},
    {"aten::bitwise_or.Scalar", Bitwise<Or>, ""},
    {"aten::bitwise_xor.Tensor", Bitwise<Function<Op::kXor>>, ""},
    {"aten::bitwise_xor.Scalar", Bitwise<Function<Op::kXor>>, ""},
    {"aten::__lshift__.Scalar", Shift<Op::kShiftLeft>, "by a number"},
    {"aten::__rshift__.Scalar", Shift<Op::kShiftRight>, "by a number"},
    {"aten::bitwise_left_shift.Tensor_Scalar", Shift<Op::kShiftLeft>, "by a number"},
    {"aten::bitwise_right_shift.Tensor_Scalar", Shift<Op::kShiftRight>, "by a number"},
};

}  // namespace

std::span<const LoweringRule> BinaryRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
