// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/math_functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/codegen/math/polynomials.h"
#include "compiler/codegen/math/shared_functions.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::Op;

enum class From : uint8_t {
  kSleef,
  /// libtorch calls MKL's vector mathematics for the operator; other operators that need it call SLEEF.
  kVmlIfExact,
  /// libtorch has no vectors for it, and calls the C library. SLEEF's is infinite where the square of the
  /// argument is, or NaN where a quotient is infinite.
  kLibm,
};

struct Function {
  Op op;
  /// In the C library; SLEEF has the same.
  std::string_view name;
  /// Of SLEEF's function: how far off it may be, in tenths of an ulp.
  std::string_view precision;
  From from = From::kSleef;
  /// In MKL.
  std::string_view vml_name = "";
};

constexpr Function kFunctions[] = {
    {Op::kExp, "exp", "_u10", From::kVmlIfExact, "Exp"},
    {Op::kSqrtByMkl, "sqrt", "_u05", From::kVmlIfExact, "Sqrt"},
    {Op::kExp2, "exp2", "_u10"},
    {Op::kExpm1, "expm1", "_u10"},
    {Op::kLog, "log", "_u10", From::kVmlIfExact, "Ln"},
    {Op::kLog2, "log2", "_u10", From::kVmlIfExact, "Log2"},
    {Op::kLog10, "log10", "_u10", From::kVmlIfExact, "Log10"},
    {Op::kLog1p, "log1p", "_u10"},
    {Op::kSin, "sin", "_u10", From::kVmlIfExact, "Sin"},
    {Op::kCos, "cos", "_u10", From::kVmlIfExact, "Cos"},
    {Op::kTan, "tan", "_u10", From::kVmlIfExact, "Tan"},
    {Op::kAsin, "asin", "_u10", From::kVmlIfExact, "Asin"},
    {Op::kAcos, "acos", "_u10", From::kVmlIfExact, "Acos"},
    {Op::kAtan, "atan", "_u10", From::kVmlIfExact, "Atan"},
    {Op::kSinh, "sinh", "_u10"},
    {Op::kCosh, "cosh", "_u10"},
    {Op::kTanh, "tanh", "_u10", From::kVmlIfExact, "Tanh"},
    {Op::kAsinh, "asinh", "_u10", From::kLibm},
    {Op::kAcosh, "acosh", "_u10", From::kLibm},
    {Op::kAtanh, "atanh", "_u10"},
    {Op::kErf, "erf", "_u10", From::kVmlIfExact, "Erf"},
    {Op::kErfc, "erfc", "_u15", From::kVmlIfExact, "Erfc"},
    {Op::kLgamma, "lgamma", "_u10"},
    {Op::kFmod, "fmod", "", From::kLibm},
    {Op::kPow, "pow", "_u10"},
    {Op::kAtan2, "atan2", "_u10"},
    {Op::kHypot, "hypot", "_u05"},
    {Op::kNextafter, "nextafter", ""},
};

const Function& Find(Op op) {
  const Function* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                          [&](const Function& candidate) { return candidate.op == op; });
  CULPRIT_CHECK(function != std::end(kFunctions), "no code for {}", loops::Describe(op).name);
  return *function;
}

/// `count` lanes from `first` on; those behind the last are whatever there is.
Value* Part(FunctionWriter& code, Value* value, unsigned first, unsigned count) {
  const unsigned lanes = FunctionWriter::LanesOf(value);
  if (lanes == 1) return code.builder.CreateVectorSplat(count, value);
  std::vector<int> which;
  for (unsigned i = 0; i < count; ++i) which.push_back(static_cast<int>(std::min(first + i, lanes - 1)));
  return code.builder.CreateShuffleVector(value, which);
}

/// `call` on parts of the operands, `count` lanes each, and the results side by side.
Value* InParts(FunctionWriter& code, llvm::ArrayRef<Value*> operands, unsigned count,
               llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> call) {
  const unsigned lanes = FunctionWriter::LanesOf(operands[0]);
  std::vector<Value*> results;
  for (unsigned first = 0; first < lanes; first += count) {
    llvm::SmallVector<Value*, 2> parts;
    for (Value* operand : operands) parts.push_back(Part(code, operand, first, count));
    results.push_back(call(parts));
  }
  if (lanes == 1) return code.builder.CreateExtractElement(results[0], uint64_t{0});
  while (results.size() > 1) {
    std::vector<int> all(size_t{2} * FunctionWriter::LanesOf(results[0]));
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    std::vector<Value*> pairs;
    for (size_t i = 0; i < results.size(); i += 2)
      pairs.push_back(code.builder.CreateShuffleVector(results[i], results[i + 1], all));
    results = std::move(pairs);
  }
  return FunctionWriter::LanesOf(results[0]) == lanes ? results[0] : Part(code, results[0], 0, lanes);
}

/// By the C library, lane by lane.
Value* CallLibm(FunctionWriter& code, const Function& function, llvm::ArrayRef<Value*> operands) {
  llvm::Type* scalar = operands[0]->getType()->getScalarType();
  const llvm::FunctionCallee callee =
      code.Outside(fmt::format("{}{}", function.name, scalar->isFloatTy() ? "f" : ""), scalar,
                   static_cast<unsigned>(operands.size()));
  const unsigned lanes = FunctionWriter::LanesOf(operands[0]);
  if (lanes == 1) return code.builder.CreateCall(callee, operands);
  Value* result = llvm::PoisonValue::get(operands[0]->getType());
  for (unsigned lane = 0; lane < lanes; ++lane) {
    llvm::SmallVector<Value*, 2> arguments;
    for (Value* operand : operands) arguments.push_back(code.builder.CreateExtractElement(operand, lane));
    result = code.builder.CreateInsertElement(result, code.builder.CreateCall(callee, arguments), lane);
  }
  return result;
}

/// By MKL, as libtorch calls it: with high accuracy, denormal numbers and no errors. A number's result
/// depends neither on its neighbours nor on where it lies.
Value* CallVml(FunctionWriter& code, const Function& function, Value* operand) {
  constexpr int64_t kHighAccuracy = 0x2;
  constexpr int64_t kDenormals = 0x140000;
  constexpr int64_t kIgnoreErrors = 0x100;
  llvm::IRBuilder<>& builder = code.builder;
  llvm::Type* type = operand->getType();
  llvm::Type* pointer = builder.getPtrTy();
  const std::string name =
      fmt::format("vm{}{}", type->getScalarType()->isFloatTy() ? "s" : "d", function.vml_name);
  llvm::FunctionType* signature = llvm::FunctionType::get(
      builder.getVoidTy(), {builder.getInt32Ty(), pointer, pointer, builder.getInt64Ty()}, false);
  llvm::AllocaInst* given = code.Scratch(type);
  llvm::AllocaInst* result = code.Scratch(type);
  builder.CreateStore(operand, given);
  builder.CreateCall(code.module.getOrInsertFunction(name, signature),
                     {builder.getInt32(FunctionWriter::LanesOf(operand)), given, result,
                      builder.getInt64(kHighAccuracy | kDenormals | kIgnoreErrors)});
  return builder.CreateLoad(type, result);
}

/// libtorch brings SLEEF for registers of 256 and 512 bits. Which of them it is makes no difference to any
/// function that it calls.
unsigned BitsForSleef(const FunctionWriter& code, const Value* operand) {
  return FunctionWriter::LanesOf(operand) == 1 ? 256 : code.processor.register_bits;
}

Value* NormalCdf(FunctionWriter& code, Value* x) {
  llvm::IRBuilder<>& builder = code.builder;
  const auto number = [&](double value) { return FunctionWriter::Number(x->getType(), value); };
  Value* scaled = builder.CreateFMul(x, number(M_SQRT1_2));
  Value* erf = MathFunction(code, Op::kErf, {scaled}, Placing::kInLine);
  return builder.CreateFMul(builder.CreateFAdd(erf, number(1)), number(0.5));
}

}  // namespace

Value* CallSleef(FunctionWriter& code, Op op, llvm::ArrayRef<Value*> operands) {
  const Function& function = Find(op);
  if (code.processor.register_bits < 256) return CallLibm(code, function, operands);
  llvm::Type* scalar = operands[0]->getType()->getScalarType();
  const unsigned count = BitsForSleef(code, operands[0]) / scalar->getScalarSizeInBits();
  const std::string name = fmt::format("Sleef_{}{}{}{}", function.name, scalar->isFloatTy() ? "f" : "d",
                                       count, function.precision);
  llvm::Type* type = FunctionWriter::WithLanes(scalar, count);
  const llvm::FunctionCallee callee = code.Outside(name, type, static_cast<unsigned>(operands.size()));
  return InParts(code, operands, count,
                 [&](llvm::ArrayRef<Value*> parts) { return code.builder.CreateCall(callee, parts); });
}

Value* MathFunction(FunctionWriter& code, Op op, llvm::ArrayRef<Value*> operands, Placing placing) {
  const bool is_exact = code.options.math == Math::kExact;
  const bool is_for_llvm = code.options.route == Route::kLlvmO3;
  if (!is_exact && !is_for_llvm) {
    Value* value =
        placing == Placing::kShared ? CallShared(code, op, operands[0]) : Polynomial(code, op, operands[0]);
    if (value != nullptr) return value;
  }
  if (op == Op::kNormalCdf) return NormalCdf(code, operands[0]);
  // An operator's own exponential never has this name.
  const bool is_part = op == Op::kExpOfNegative;
  if (is_part) op = Op::kExp;
  const Function& function = Find(op);
  if (function.from == From::kLibm || (!is_exact && is_for_llvm)) return CallLibm(code, function, operands);
  if (is_exact && function.from == From::kVmlIfExact && !is_part) return CallVml(code, function, operands[0]);
  return CallSleef(code, op, operands);
}

}  // namespace culprit::compiler::codegen
