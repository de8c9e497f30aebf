// SPDX-License-Identifier: Apache-2.0
//
// where, clamp and what else chooses between operands; powers; products that are added.
#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

bool Where(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = PromotedType(call, {1, 2});
  const Expr condition = LoadOperand(call, loop, 0, at::kBool);
  const Expr yes = LoadOperand(call, loop, 1, dtype);
  call.DefineEach(0, loop, Select(condition, yes, LoadOperand(call, loop, 2, dtype)));
  return true;
}

bool MaskedFill(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = call.Described(0).dtype;
  const Expr mask = LoadOperand(call, loop, 1, at::kBool);
  const Expr value = LoadOperand(call, loop, 2, dtype);
  call.DefineEach(0, loop, Select(mask, value, LoadOperand(call, loop, 0, dtype)));
  return true;
}

/// Between the bounds in these arguments; 0 and None stand for no bound.
bool ClampBetween(Call& call, size_t lowest, size_t highest) {
  LoopBuilder loop = call.LoopOver(0);
  const auto bound = [&](size_t argument) { return argument != 0 && !call.IsNone(argument); };
  const at::ScalarType dtype =
      PromotedType(call, {0, bound(lowest) ? lowest : 0, bound(highest) ? highest : 0});
  Expr x = LoadOperand(call, loop, 0, dtype);
  if (bound(lowest)) x = Max(x, LoadOperand(call, loop, lowest, dtype));
  if (bound(highest)) x = Min(x, LoadOperand(call, loop, highest, dtype));
  call.DefineEach(0, loop, x);
  return true;
}

bool Clamp(Call& call) {
  return ClampBetween(call, 1, 2);
}
bool ClampMin(Call& call) {
  return ClampBetween(call, 1, 0);
}
bool ClampMax(Call& call) {
  return ClampBetween(call, 0, 1);
}

bool Threshold(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = call.Described(0).dtype;
  const Expr x = LoadOperand(call, loop, 0, dtype);
  const Expr least = LoadOperand(call, loop, 1, dtype, Digits::kAllOfOneNumber);
  call.DefineEach(0, loop, Select(x <= least, LoadOperand(call, loop, 2, dtype), x));
  return true;
}

bool Addcmul(Call& call) {
  return Each(call, {0, 1, 2}, [&](const Operands& x) {
    const Expr scaled = call.Double(3) == 1 ? x[1] : x[1].Like(call.Double(3)) * x[1];
    return x[0] + scaled * x[2];
  });
}

bool Addcdiv(Call& call) {
  return Each(call, {0, 1, 2}, [&](const Operands& x) {
    const Expr scaled = call.Double(3) == 1 ? x[1] : x[1].Like(call.Double(3)) * x[1];
    return x[0] + scaled / x[2];
  });
}

// From the end that is nearer, so that both ends are met exactly.
Expr Interpolate(Expr begin, Expr end, Expr weight) {
  const Expr difference = end - begin;
  return Select(Abs(weight) < 0.5, begin + weight * difference, end - difference * (1.0 - weight));
}

bool Lerp(Call& call) {
  return Each(call, {0, 1, 2}, [](const Operands& x) { return Interpolate(x[0], x[1], x[2]); });
}

// The weight has all its digits, also for BFloat16.
bool LerpByNumber(Call& call) {
  return Each(call, {0, 1},
              [&](const Operands& x) { return Interpolate(x[0], x[1], x[0].Like(call.Double(2))); });
}

/// The exponents that libtorch computes otherwise than by pow; roots not for Half.
std::optional<Expr> SpecialPower(Expr x, double exponent, bool has_roots) {
  if (exponent == 0) return x.Like(1);
  if (exponent == 1) return x;
  if (exponent == 2) return x * x;
  if (exponent == 3) return x * x * x;
  if (!loops::IsFloat(x.type())) return std::nullopt;
  if (has_roots && exponent == 0.5) return Sqrt(x);
  if (has_roots && exponent == -0.5) return 1.0 / Sqrt(x);
  if (exponent == -1) return 1.0 / x;
  if (exponent == -2) return 1.0 / (x * x);
  return std::nullopt;
}

bool PowOfScalar(Call& call) {
  const at::ScalarType dtype = PromotedType(call, {0, 1});
  if (dtype == at::kBool) return false;
  LoopBuilder loop = call.LoopOver(0);
  const Expr x = LoadOperand(call, loop, 0, dtype);
  if (const auto special = SpecialPower(x, call.Double(1), dtype != at::kHalf)) {
    call.DefineEach(0, loop, *special);
    return true;
  }
  if (!loops::IsFloat(x.type())) return false;
  call.DefineEach(0, loop, Apply(Op::kPow, x, LoadOperand(call, loop, 1, dtype)));
  return true;
}

bool PowOfTensor(Call& call) {
  if (!at::isFloatingType(PromotedType(call, {0, 1}))) return false;
  return Each(call, {0, 1}, [](const Operands& x) { return Apply(Op::kPow, x[0], x[1]); });
}

// 0 where x is, whatever y is, unless that is NaN.
bool Xlogy(Call& call) {
  return FloatBinary<[](Expr x, Expr y) {
    return Select(IsNan(y), y, Select(Equal(x, x.Like(0)), x.Like(0), x * Log(y)));
  }>(call);
}

constexpr LoweringRule kRules[] = {
    {"aten::where.self", Where, ""},
    {"aten::masked_fill.Scalar", MaskedFill, ""},
    {"aten::masked_fill.Tensor", MaskedFill, ""},
    {"aten::clamp", Clamp, "NaN stays"},
    {"aten::clamp.Tensor", Clamp, "", kAnyButBool},
    {"aten::clamp_min", ClampMin, ""},
    {"aten::clamp_min.Tensor", ClampMin, ""},
    {"aten::clamp_max", ClampMax, ""},
    {"aten::clamp_max.Tensor", ClampMax, ""},
    // Byte with bounds below 0 is refused, Bool always.
    {"aten::hardtanh", Clamp, "", kAnyButBool.Without({at::kByte})},
    {"aten::threshold", Threshold, "", kAnyButBool},
    {"aten::addcmul", Addcmul, "x + value * y * z", kAnyButBool},
    {"aten::addcdiv", Addcdiv, "x + value * y / z"},
    {"aten::lerp.Scalar", LerpByNumber, "", kFloats},
    {"aten::lerp.Tensor", Lerp, "", kFloats},
    {"aten::pow.Tensor_Scalar", PowOfScalar, "integers to 0, 1, 2 and 3 only"},
    {"aten::pow.Tensor_Tensor", PowOfTensor, "of floats"},
    {"aten::pow.Scalar", PowOfTensor, "of floats"},
    {"aten::xlogy.Tensor", Xlogy, ""},
};

}  // namespace

std::span<const LoweringRule> ChoiceRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
