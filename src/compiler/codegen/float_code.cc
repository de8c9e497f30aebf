// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/float_code.h"

namespace culprit::compiler::codegen {
namespace {

constexpr uint32_t kMantissaBits = 23;
constexpr uint32_t kExponentBias = 127;
/// A sum with it has no place for fractions.
constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23
constexpr uint32_t kBitsOfRounder = 0x4B400000;

}  // namespace

FloatCode::FloatCode(Code& code, llvm::Type* type) : code_(code), type_(type) {
  const auto* wide = llvm::dyn_cast<llvm::FixedVectorType>(type);
  integers_ = Code::WithLanes(code.builder.getInt32Ty(), wide == nullptr ? 1 : wide->getNumElements());
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

FloatCode::Rounded FloatCode::Round(Value x) {
  Value shifted = Add(x, Number(kRounder));
  return {Sub(shifted, Number(kRounder)), builder().CreateSub(Bits(shifted), Integer(kBitsOfRounder))};
}

FloatCode::Value FloatCode::PowerOf2(Value n) {
  return FromBits(
      builder().CreateShl(builder().CreateAdd(n, Integer(kExponentBias)), Integer(kMantissaBits)));
}

}  // namespace culprit::compiler::codegen
