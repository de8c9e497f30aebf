// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/shared_functions.h"

#include <fmt/format.h>

#include <map>

#include "compiler/codegen/math/polynomials.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Op;

/// With one more, LLVM would take more than ten milliseconds.
constexpr int kMostInLine = 3;

}  // namespace

SharedFunctions::SharedFunctions(const loops::Kernel& kernel) {
  std::map<Op, int> counts;
  int all = 0;
  for (const loops::Expression& expression : kernel.body.expressions()) {
    if (expression.op < Op::kExp || expression.op > Op::kLgamma) continue;
    ++counts[expression.op];
    ++all;
  }
  if (all <= kMostInLine) return;
  for (const auto& [op, count] : counts)
    if (count > 1) shared_.insert(op);
}

llvm::Value* CallShared(FunctionWriter& code, Op op, llvm::Value* x) {
  // Polynomials are of Floats; a Double must not find the function that Floats have.
  if (!x->getType()->getScalarType()->isFloatTy()) return nullptr;
  const std::string name = fmt::format("{}_{}", loops::Describe(op).name, FunctionWriter::LanesOf(x));
  llvm::Function* function = code.module.getFunction(name);
  if (function == nullptr)
    function =
        code.Inside(name, x->getType(), [&](llvm::Value* given) { return Polynomial(code, op, given); });
  return function == nullptr ? nullptr : code.builder.CreateCall(function, {x});
}

}  // namespace culprit::compiler::codegen
