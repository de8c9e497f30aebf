// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/casts.h"

#include <cmath>

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::Type;

llvm::Type* Like(Value* value, llvm::Type* scalar) {
  const auto* wide = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return wide == nullptr ? scalar : FunctionWriter::WithLanes(scalar, wide->getNumElements());
}

// Where the result does not fit the processor gives the smallest integer; LLVM's own conversion gives
// anything at all.
Value* ToSignedInteger(FunctionWriter& code, Value* value, unsigned bits) {
  llvm::IRBuilder<>& builder = code.builder;
  llvm::Type* type = Like(value, builder.getIntNTy(bits));
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  // The first float below -2^31 is -2^31 - 1 rounded away: floats of 32 bits have none in between.
  const bool has_fractions = bits == 32 && value->getType()->getScalarType()->isDoubleTy();
  Value* above = has_fractions
                     ? builder.CreateFCmpOGT(value, FunctionWriter::Number(value->getType(), -limit - 1))
                     : builder.CreateFCmpOGE(value, FunctionWriter::Number(value->getType(), -limit));
  Value* below = builder.CreateFCmpOLT(value, FunctionWriter::Number(value->getType(), limit));
  llvm::Constant* smallest = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  return builder.CreateSelect(builder.CreateAnd(above, below), builder.CreateFPToSI(value, type), smallest);
}

Value* FloatToInteger(FunctionWriter& code, Value* value, Type to) {
  // C++ goes through int, and libtorch through int64_t to uint8_t.
  const unsigned bits = to == Type::Long || to == Type::Byte ? 64 : 32;
  return code.builder.CreateTrunc(ToSignedInteger(code, value, bits), Like(value, code.TypeOf(to)));
}

Value* IntegerToFloat(FunctionWriter& code, Value* value, Type from, Type to) {
  llvm::Type* type = Like(value, code.TypeOf(to));
  if (from == Type::Bool)
    return code.builder.CreateSelect(value, FunctionWriter::Number(type, 1), FunctionWriter::Number(type, 0));
  if (from == Type::Byte) value = code.builder.CreateZExt(value, Like(value, code.builder.getInt32Ty()));
  return code.builder.CreateSIToFP(value, type);
}

Value* IntegerToInteger(FunctionWriter& code, Value* value, Type from, Type to) {
  llvm::Type* type = Like(value, code.TypeOf(to));
  if (from == Type::Bool || from == Type::Byte) return code.builder.CreateZExtOrTrunc(value, type);
  return code.builder.CreateSExtOrTrunc(value, type);
}

/// The upper half of a Float's bits.
Value* BFloat16Bits(FunctionWriter& code, Value* value) {
  llvm::IRBuilder<>& builder = code.builder;
  llvm::Type* type = Like(value, builder.getInt32Ty());
  const auto number = [&](uint64_t bits) { return llvm::ConstantInt::get(type, bits); };
  Value* bits = builder.CreateBitCast(value, type);
  Value* is_odd = builder.CreateAnd(builder.CreateLShr(bits, number(16)), number(1));
  Value* rounded = builder.CreateAdd(bits, builder.CreateAdd(is_odd, number(0x7FFF)));
  // A NaN would become a zero.
  rounded = builder.CreateSelect(builder.CreateFCmpUNO(value, value), number(0x7FC00000), rounded);
  return builder.CreateLShr(rounded, number(16));
}

Value* FromBFloat16Bits(FunctionWriter& code, Value* bits) {
  llvm::IRBuilder<>& builder = code.builder;
  Value* shifted = builder.CreateShl(bits, llvm::ConstantInt::get(bits->getType(), 16));
  return builder.CreateBitCast(shifted, Like(bits, builder.getFloatTy()));
}

}  // namespace

Value* Cast(FunctionWriter& code, Value* value, Type from, Type to) {
  if (from == to) return value;
  llvm::IRBuilder<>& builder = code.builder;
  if (to == Type::Bool) {
    llvm::Constant* zero = llvm::Constant::getNullValue(value->getType());
    return loops::IsFloat(from) ? builder.CreateFCmpUNE(value, zero) : builder.CreateICmpNE(value, zero);
  }
  if (!loops::IsFloat(from))
    return loops::IsFloat(to) ? IntegerToFloat(code, value, from, to)
                              : IntegerToInteger(code, value, from, to);
  if (!loops::IsFloat(to)) return FloatToInteger(code, value, to);
  return builder.CreateFPCast(value, Like(value, code.TypeOf(to)));
}

Value* FromMemory(FunctionWriter& code, Value* value, at::ScalarType dtype) {
  llvm::IRBuilder<>& builder = code.builder;
  if (dtype == at::kBool) return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  if (dtype == at::kHalf) return builder.CreateFPExt(value, Like(value, builder.getFloatTy()));
  if (dtype == at::kBFloat16)
    return FromBFloat16Bits(code, builder.CreateZExt(value, Like(value, builder.getInt32Ty())));
  return value;
}

Value* ToMemory(FunctionWriter& code, Value* value, at::ScalarType dtype) {
  llvm::IRBuilder<>& builder = code.builder;
  if (dtype == at::kBool) return builder.CreateZExt(value, Like(value, builder.getInt8Ty()));
  if (dtype == at::kHalf) return builder.CreateFPTrunc(value, Like(value, builder.getHalfTy()));
  if (dtype == at::kBFloat16)
    return builder.CreateTrunc(BFloat16Bits(code, value), Like(value, builder.getInt16Ty()));
  return value;
}

Value* RoundedToHalf(FunctionWriter& code, Value* value) {
  Value* half = code.builder.CreateFPTrunc(value, Like(value, code.builder.getHalfTy()));
  return code.builder.CreateFPExt(half, value->getType());
}

Value* RoundedToBFloat16(FunctionWriter& code, Value* value) {
  return FromBFloat16Bits(code, BFloat16Bits(code, value));
}

}  // namespace culprit::compiler::codegen
