// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/arithmetic.h"

#include <algorithm>

#include "compiler/codegen/math/casts.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::Op;
using loops::Type;

struct Operands {
  FunctionWriter& code;
  llvm::IRBuilder<>& builder;
  Type type;
  Value* a;
  Value* b;
  Value* c;

  bool is_unsigned() const { return type == Type::Byte || type == Type::Bool; }
  llvm::Constant* Zero() const { return llvm::Constant::getNullValue(a->getType()); }
};

using Emit = Value* (*)(const Operands&);

Value* Quotient(const Operands& of) {
  return of.is_unsigned() ? of.builder.CreateUDiv(of.a, of.b) : of.builder.CreateSDiv(of.a, of.b);
}

Value* TruncatedRemainder(const Operands& of) {
  return of.is_unsigned() ? of.builder.CreateURem(of.a, of.b) : of.builder.CreateSRem(of.a, of.b);
}

/// Whether the truncated quotient is one more than the floor.
Value* IsAboveFloor(const Operands& of, Value* remainder) {
  Value* signs_differ = of.builder.CreateICmpSLT(of.builder.CreateXor(remainder, of.b), of.Zero());
  return of.builder.CreateAnd(of.builder.CreateICmpNE(remainder, of.Zero()), signs_differ);
}

Value* FloorQuotient(const Operands& of) {
  if (of.is_unsigned()) return Quotient(of);
  Value* quotient = Quotient(of);
  Value* remainder = of.builder.CreateSub(of.a, of.builder.CreateMul(quotient, of.b));
  Value* one = llvm::ConstantInt::get(of.a->getType(), 1);
  return of.builder.CreateSelect(IsAboveFloor(of, remainder), of.builder.CreateSub(quotient, one), quotient);
}

Value* FloorRemainder(const Operands& of) {
  Value* remainder = TruncatedRemainder(of);
  if (of.is_unsigned()) return remainder;
  return of.builder.CreateSelect(IsAboveFloor(of, remainder), of.builder.CreateAdd(remainder, of.b),
                                 remainder);
}

template <llvm::CmpInst::Predicate kFloats, llvm::CmpInst::Predicate kSigned,
          llvm::CmpInst::Predicate kUnsigned>
Value* Compared(const Operands& of) {
  if (loops::IsFloat(of.type)) return of.builder.CreateFCmp(kFloats, of.a, of.b);
  constexpr llvm::CmpInst::Predicate kIntegers[] = {kSigned, kUnsigned};
  return of.builder.CreateICmp(kIntegers[of.is_unsigned() ? 1 : 0], of.a, of.b);
}

template <llvm::Intrinsic::ID kIntrinsic>
Value* Unary(const Operands& of) {
  return of.code.Intrinsic(kIntrinsic, {of.a});
}

using Predicate = llvm::CmpInst::Predicate;
using Instruction = llvm::Instruction;

template <Instruction::BinaryOps kFloats, Instruction::BinaryOps kIntegers>
Value* Binary(const Operands& of) {
  return of.builder.CreateBinOp(loops::IsFloat(of.type) ? kFloats : kIntegers, of.a, of.b);
}

template <Instruction::BinaryOps kInstruction>
Value* Bits(const Operands& of) {
  return of.builder.CreateBinOp(kInstruction, of.a, of.b);
}

struct Rule {
  Op op;
  Emit emit;
};

/// In the order of Op.
constexpr Rule kRules[] = {
    {Op::kRoundToHalf, [](const Operands& of) { return RoundedToHalf(of.code, of.a); }},
    {Op::kRoundToBFloat16, [](const Operands& of) { return RoundedToBFloat16(of.code, of.a); }},
    {Op::kFence, [](const Operands& of) { return of.a; }},
    {Op::kNeg,
     [](const Operands& of) -> Value* {
       return loops::IsFloat(of.type) ? of.builder.CreateFNeg(of.a) : of.builder.CreateNeg(of.a);
     }},
    {Op::kAbs,
     [](const Operands& of) -> Value* {
       if (loops::IsFloat(of.type)) return of.code.Intrinsic(llvm::Intrinsic::fabs, {of.a});
       if (of.is_unsigned()) return of.a;
       return of.builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, of.a, of.builder.getFalse());
     }},
    {Op::kNot, [](const Operands& of) { return of.builder.CreateNot(of.a); }},
    {Op::kIsNan, [](const Operands& of) { return of.builder.CreateFCmpUNO(of.a, of.a); }},
    {Op::kSqrt, Unary<llvm::Intrinsic::sqrt>},
    {Op::kFloor, Unary<llvm::Intrinsic::floor>},
    {Op::kCeil, Unary<llvm::Intrinsic::ceil>},
    {Op::kTrunc, Unary<llvm::Intrinsic::trunc>},
    {Op::kRound, Unary<llvm::Intrinsic::roundeven>},
    {Op::kAdd, Binary<Instruction::FAdd, Instruction::Add>},
    {Op::kSub, Binary<Instruction::FSub, Instruction::Sub>},
    {Op::kMul, Binary<Instruction::FMul, Instruction::Mul>},
    {Op::kDiv, [](const Operands& of) { return of.builder.CreateFDiv(of.a, of.b); }},
    {Op::kFloorDiv, FloorQuotient},
    {Op::kTruncDiv, Quotient},
    {Op::kRemainder, FloorRemainder},
    {Op::kFmod,
     [](const Operands& of) -> Value* { return loops::IsFloat(of.type) ? nullptr : TruncatedRemainder(of); }},
    {Op::kMin, [](const Operands& of) { return Minimum(of.code, of.type, of.a, of.b); }},
    {Op::kMax, [](const Operands& of) { return Maximum(of.code, of.type, of.a, of.b); }},
    {Op::kCopysign,
     [](const Operands& of) {
       return of.code.Intrinsic(llvm::Intrinsic::copysign, {of.a, of.b});
     }},
    {Op::kAnd, Bits<Instruction::And>},
    {Op::kOr, Bits<Instruction::Or>},
    {Op::kXor, Bits<Instruction::Xor>},
    {Op::kShiftLeft, Bits<Instruction::Shl>},
    {Op::kShiftRight,
     [](const Operands& of) {
       return of.is_unsigned() ? of.builder.CreateLShr(of.a, of.b) : of.builder.CreateAShr(of.a, of.b);
     }},
    {Op::kEq, Compared<Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ>},
    {Op::kNe, Compared<Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE>},
    {Op::kLt, Compared<Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT>},
    {Op::kLe, Compared<Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE>},
    {Op::kGt, Compared<Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT>},
    {Op::kGe, Compared<Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE>},
    {Op::kSelect, [](const Operands& of) { return of.builder.CreateSelect(of.a, of.b, of.c); }},
};

// Two choices are an instruction less. LLVM 19's passes make one of them, and that wrongly if left is an
// absolute value and right 0: they ask the number itself then, whether it is above 0.
Value* LeftIfNanOr(FunctionWriter& code, Value* condition, Value* left, Value* right) {
  llvm::IRBuilder<>& builder = code.builder;
  Value* is_nan = builder.CreateFCmpUNO(left, left);
  if (code.options.route == Route::kLlvmO3)
    return builder.CreateSelect(builder.CreateOr(is_nan, condition), left, right);
  return builder.CreateSelect(is_nan, left, builder.CreateSelect(condition, left, right));
}

}  // namespace

Value* Arithmetic(FunctionWriter& code, Op op, Type type, llvm::ArrayRef<Value*> operands) {
  const Rule* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const Rule& candidate) { return candidate.op == op; });
  if (rule == std::end(kRules)) return nullptr;
  const auto operand = [&](size_t i) { return i < operands.size() ? operands[i] : nullptr; };
  return rule->emit({code, code.builder, type, operand(0), operand(1), operand(2)});
}

bool DividesIntegers(Op op, Type type) {
  return !loops::IsFloat(type) &&
         (op == Op::kFloorDiv || op == Op::kTruncDiv || op == Op::kRemainder || op == Op::kFmod);
}

// The comparison and the select are one instruction, which gives the right operand if one is NaN. So a
// constant goes to the left. Of two zeros the other one is taken then, as eager takes it.
Value* Minimum(FunctionWriter& code, Type type, Value* left, Value* right) {
  llvm::IRBuilder<>& builder = code.builder;
  if (type == Type::Byte || type == Type::Bool)
    return builder.CreateSelect(builder.CreateICmpULT(left, right), left, right);
  if (!loops::IsFloat(type)) return builder.CreateSelect(builder.CreateICmpSLT(left, right), left, right);
  if (llvm::isa<llvm::Constant>(right)) std::swap(left, right);
  return LeftIfNanOr(code, builder.CreateFCmpOLT(left, right), left, right);
}

Value* Maximum(FunctionWriter& code, Type type, Value* left, Value* right) {
  llvm::IRBuilder<>& builder = code.builder;
  if (type == Type::Byte || type == Type::Bool)
    return builder.CreateSelect(builder.CreateICmpUGT(left, right), left, right);
  if (!loops::IsFloat(type)) return builder.CreateSelect(builder.CreateICmpSGT(left, right), left, right);
  if (llvm::isa<llvm::Constant>(right)) std::swap(left, right);
  return LeftIfNanOr(code, builder.CreateFCmpOGT(left, right), left, right);
}

}  // namespace culprit::compiler::codegen
