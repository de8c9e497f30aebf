// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on Floats, in lanes or one, for formulas that are written out.
#pragma once

#include <initializer_list>

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

class FloatCode {
 public:
  FloatCode(FunctionWriter& code, llvm::Type* type);

  using Value = llvm::Value*;

  FunctionWriter& code() { return code_; }
  llvm::IRBuilder<>& builder() { return code_.builder; }

  Value Number(double value) { return FunctionWriter::Number(type_, value); }
  Value Integer(uint32_t value) { return llvm::ConstantInt::get(integers_, value); }
  Value Bits(Value x) { return builder().CreateBitCast(x, integers_); }
  Value FromBits(Value bits) { return builder().CreateBitCast(bits, type_); }
  Value ToFloat(Value integer) { return builder().CreateSIToFP(integer, type_); }

  Value Add(Value a, Value b) { return builder().CreateFAdd(a, b); }
  Value Sub(Value a, Value b) { return builder().CreateFSub(a, b); }
  Value Mul(Value a, Value b) { return builder().CreateFMul(a, b); }
  Value Div(Value a, Value b) { return builder().CreateFDiv(a, b); }
  Value Neg(Value a) { return builder().CreateFNeg(a); }
  /// a * b + c, rounded once.
  Value Fma(Value a, Value b, Value c) { return code_.Intrinsic(llvm::Intrinsic::fma, {a, b, c}); }
  /// x * x and so little more that it matters only where x is next to 0. There the square would be denormal,
  /// and what processors compute of such numbers takes them a hundred times as long.
  Value Square(Value x) { return Fma(x, x, Number(0x1p-40)); }
  Value Abs(Value a) { return code_.Intrinsic(llvm::Intrinsic::fabs, {a}); }
  /// The bit alone, and a number that has none with it.
  Value SignOf(Value x) { return builder().CreateAnd(Bits(x), Integer(0x80000000)); }
  Value WithSign(Value positive, Value sign) { return FromBits(builder().CreateOr(Bits(positive), sign)); }
  Value WithSignOf(Value a, Value sign) { return code_.Intrinsic(llvm::Intrinsic::copysign, {a, sign}); }
  Value Select(Value condition, Value yes, Value no) { return builder().CreateSelect(condition, yes, no); }
  Value IsLess(Value a, Value b) { return builder().CreateFCmpOLT(a, b); }

  /// Not above, not below; NaN stays NaN.
  Value AtMost(Value x, double limit);
  Value AtLeast(Value x, double limit);

  /// The coefficients of a polynomial in x, that of the highest power first.
  Value Horner(Value x, std::initializer_list<double> coefficients);

  /// The nearest integer of |x| < 2^22, as a Float, and in the low 22 bits of an integer, there with a bias.
  struct Rounded {
    Value number;
    Value bits;
  };
  Rounded Round(Value x, uint32_t bias = 0);
  Rounded RoundProduct(Value x, double factor, uint32_t bias = 0);

  static constexpr uint32_t kExponentBias = 127;
  /// 2^(n - kExponentBias) for 0 < n < 255, and 0 for 0; only the low 9 bits of n count.
  Value FromExponent(Value n);

  /// 2^n for -126 <= n <= 127; only the low 9 bits of n count.
  Value PowerOf2(Value n);
  /// x * 2^n where neither x nor the product is denormal or infinite.
  Value TimesPowerOf2(Value x, Value n);

 private:
  FunctionWriter& code_;
  llvm::Type* type_;
  llvm::Type* integers_;
};

}  // namespace culprit::compiler::codegen
