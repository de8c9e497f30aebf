// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math_functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/codegen/polynomials.h"
#include "compiler/codegen/shared_functions.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::Op;

enum class From : uint8_t {
  kSleef,
  /// libtorch has no vectors for it, and calls the C library.
  kLibmIfExact,
  /// And SLEEF's is infinite where the square of the argument is, or NaN where a quotient is infinite.
  kLibm,
};

struct Function {
  Op op;
  /// In the C library; SLEEF has the same.
  std::string_view name;
  /// Of SLEEF's function: how far off it may be, in tenths of an ulp.
  std::string_view precision;
  From from = From::kSleef;
};

constexpr Function kFunctions[] = {
    {Op::kExp, "exp", "_u10"},
    {Op::kExp2, "exp2", "_u10", From::kLibmIfExact},
    {Op::kExpm1, "expm1", "_u10"},
    {Op::kLog, "log", "_u10"},
    {Op::kLog2, "log2", "_u10"},
    {Op::kLog10, "log10", "_u10"},
    {Op::kLog1p, "log1p", "_u10"},
    {Op::kSin, "sin", "_u10"},
    {Op::kCos, "cos", "_u10"},
    {Op::kTan, "tan", "_u10"},
    {Op::kAsin, "asin", "_u10"},
    {Op::kAcos, "acos", "_u10"},
    {Op::kAtan, "atan", "_u10"},
    {Op::kSinh, "sinh", "_u10"},
    {Op::kCosh, "cosh", "_u10"},
    {Op::kTanh, "tanh", "_u10"},
    {Op::kAsinh, "asinh", "_u10", From::kLibm},
    {Op::kAcosh, "acosh", "_u10", From::kLibm},
    {Op::kAtanh, "atanh", "_u10", From::kLibmIfExact},
    {Op::kErf, "erf", "_u10"},
    {Op::kErfc, "erfc", "_u15"},
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
Value* Part(Code& code, Value* value, unsigned first, unsigned count) {
  const unsigned lanes = Code::LanesOf(value);
  if (lanes == 1) return code.builder.CreateVectorSplat(count, value);
  std::vector<int> which;
  for (unsigned i = 0; i < count; ++i) which.push_back(static_cast<int>(std::min(first + i, lanes - 1)));
  return code.builder.CreateShuffleVector(value, which);
}

/// `call` on parts of the operands, `count` lanes each, and the results side by side.
Value* InParts(Code& code, llvm::ArrayRef<Value*> operands, unsigned count,
               llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> call) {
  const unsigned lanes = Code::LanesOf(operands[0]);
  std::vector<Value*> results;
  for (unsigned first = 0; first < lanes; first += count) {
    llvm::SmallVector<Value*, 2> parts;
    for (Value* operand : operands) parts.push_back(Part(code, operand, first, count));
    results.push_back(call(parts));
  }
  if (lanes == 1) return code.builder.CreateExtractElement(results[0], uint64_t{0});
  while (results.size() > 1) {
    std::vector<int> all(size_t{2} * Code::LanesOf(results[0]));
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    std::vector<Value*> pairs;
    for (size_t i = 0; i < results.size(); i += 2)
      pairs.push_back(code.builder.CreateShuffleVector(results[i], results[i + 1], all));
    results = std::move(pairs);
  }
  return Code::LanesOf(results[0]) == lanes ? results[0] : Part(code, results[0], 0, lanes);
}

/// By the C library, lane by lane.
Value* CallLibm(Code& code, const Function& function, llvm::ArrayRef<Value*> operands) {
  llvm::Type* scalar = operands[0]->getType()->getScalarType();
  const llvm::FunctionCallee callee =
      code.Outside(fmt::format("{}{}", function.name, scalar->isFloatTy() ? "f" : ""), scalar,
                   static_cast<unsigned>(operands.size()));
  const unsigned lanes = Code::LanesOf(operands[0]);
  if (lanes == 1) return code.builder.CreateCall(callee, operands);
  Value* result = llvm::PoisonValue::get(operands[0]->getType());
  for (unsigned lane = 0; lane < lanes; ++lane) {
    llvm::SmallVector<Value*, 2> arguments;
    for (Value* operand : operands) arguments.push_back(code.builder.CreateExtractElement(operand, lane));
    result = code.builder.CreateInsertElement(result, code.builder.CreateCall(callee, arguments), lane);
  }
  return result;
}

/// What SLEEF computes for one lane can depend on the others. libtorch takes 256 bits at a time, on
/// processors with wider registers, too.
unsigned BitsForSleef(const Code& code, const Value* operand) {
  constexpr unsigned kBitsOfLibtorch = 256;
  if (Code::LanesOf(operand) == 1) return 128;
  const unsigned bits = code.processor.register_bits;
  return code.options.math == Math::kExact ? std::min(bits, kBitsOfLibtorch) : bits;
}

Value* NormalCdf(Code& code, Value* x) {
  llvm::IRBuilder<>& builder = code.builder;
  const auto number = [&](double value) { return Code::Number(x->getType(), value); };
  Value* scaled = builder.CreateFMul(x, number(M_SQRT1_2));
  Value* erf = MathFunction(code, Op::kErf, {scaled}, Placing::kInLine);
  return builder.CreateFMul(builder.CreateFAdd(erf, number(1)), number(0.5));
}

}  // namespace

Value* CallSleef(Code& code, Op op, llvm::ArrayRef<Value*> operands) {
  const Function& function = Find(op);
  llvm::Type* scalar = operands[0]->getType()->getScalarType();
  const unsigned count = BitsForSleef(code, operands[0]) / scalar->getScalarSizeInBits();
  const std::string name = fmt::format("Sleef_{}{}{}{}", function.name, scalar->isFloatTy() ? "f" : "d",
                                       count, function.precision);
  llvm::Type* type = Code::WithLanes(scalar, count);
  const llvm::FunctionCallee callee = code.Outside(name, type, static_cast<unsigned>(operands.size()));
  return InParts(code, operands, count,
                 [&](llvm::ArrayRef<Value*> parts) { return code.builder.CreateCall(callee, parts); });
}

Value* MathFunction(Code& code, Op op, llvm::ArrayRef<Value*> operands, Placing placing) {
  const bool is_exact = code.options.math == Math::kExact;
  const bool is_for_llvm = code.options.route == Route::kLlvmO3;
  if (!is_exact && !is_for_llvm) {
    Value* value =
        placing == Placing::kShared ? CallShared(code, op, operands[0]) : Polynomial(code, op, operands[0]);
    if (value != nullptr) return value;
  }
  if (op == Op::kExpOfNegative) return MathFunction(code, Op::kExp, operands, placing);
  if (op == Op::kNormalCdf) return NormalCdf(code, operands[0]);
  const Function& function = Find(op);
  const bool is_libms = function.from == From::kLibm || (is_exact && function.from == From::kLibmIfExact);
  if (is_libms || (!is_exact && is_for_llvm)) return CallLibm(code, function, operands);
  return CallSleef(code, op, operands);
}

}  // namespace culprit::compiler::codegen
