// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/float_code.h"

namespace culprit::compiler::codegen {
namespace {

constexpr uint32_t kMantissaBits = 23;
/// A sum with it has no place for fractions. Its own low bits are 0.
constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23

}  // namespace

FloatCode::FloatCode(FunctionWriter& code, llvm::Type* type) : code_(code), type_(type) {
  const auto* wide = llvm::dyn_cast<llvm::FixedVectorType>(type);
  integers_ =
      FunctionWriter::WithLanes(code.builder.getInt32Ty(), wide == nullptr ? 1 : wide->getNumElements());
}

// The comparison and the select are one instruction, which gives its second operand if one is NaN.
FloatCode::Value FloatCode::AtMost(Value x, double limit) {
  return Select(IsLess(Number(limit), x), Number(limit), x);
}

FloatCode::Value FloatCode::AtLeast(Value x, double limit) {
  return Select(IsLess(x, Number(limit)), Number(limit), x);
}

FloatCode::Value FloatCode::Horner(Value x, std::initializer_list<double> coefficients) {
  Value result = nullptr;
  for (const double coefficient : coefficients)
    result = result == nullptr ? Number(coefficient) : Fma(result, x, Number(coefficient));
  return result;
}

FloatCode::Rounded FloatCode::Round(Value x, uint32_t bias) {
  Value rounder = Number(kRounder + static_cast<float>(bias));
  Value shifted = Add(x, rounder);
  return {Sub(shifted, rounder), Bits(shifted)};
}

FloatCode::Rounded FloatCode::RoundProduct(Value x, double factor, uint32_t bias) {
  Value rounder = Number(kRounder + static_cast<float>(bias));
  Value shifted = Fma(x, Number(factor), rounder);
  return {Sub(shifted, rounder), Bits(shifted)};
}

FloatCode::Value FloatCode::FromExponent(Value n) {
  return FromBits(builder().CreateShl(n, Integer(kMantissaBits)));
}

FloatCode::Value FloatCode::PowerOf2(Value n) {
  Value one = Integer(kExponentBias << kMantissaBits);
  return FromBits(builder().CreateAdd(builder().CreateShl(n, Integer(kMantissaBits)), one));
}

FloatCode::Value FloatCode::TimesPowerOf2(Value x, Value n) {
  return FromBits(builder().CreateAdd(Bits(x), builder().CreateShl(n, Integer(kMantissaBits))));
}

}  // namespace culprit::compiler::codegen
