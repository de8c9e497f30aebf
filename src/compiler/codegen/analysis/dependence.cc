// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/analysis/dependence.h"

#include "compiler/codegen/analysis/small_integers.h"
#include "compiler/loops/scalar_math.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Expression;
using loops::Op;

bool IsAffine(const Expression& expression, const Dependence& of) {
  const auto varies = [&](size_t i) { return of.varies[Index(expression.operands[i])]; };
  const auto is_affine = [&](size_t i) { return of.is_affine[Index(expression.operands[i])]; };
  switch (expression.op) {
    case Op::kIndex:
      return true;
    case Op::kAdd:
    case Op::kSub:
      return is_affine(0) && is_affine(1);
    case Op::kMul:
      return is_affine(0) && is_affine(1) && !(varies(0) && varies(1));
    default:
      return false;
  }
}

/// Of an expression that varies and is affine. Where the expression wraps, so does its step.
std::optional<int64_t> StepOf(const loops::Body& body, const Expression& expression, const Dependence& of) {
  if (expression.op == Op::kIndex) return 1;
  loops::Scalar numbers[2];
  for (size_t i = 0; i < 2; ++i) {
    const loops::ExprId operand = expression.operands[i];
    // In a product one does not vary, and is the factor.
    const bool is_factor = expression.op == Op::kMul && !of.varies[Index(operand)];
    if (is_factor ? body[operand].op != Op::kConstant : !of.steps[Index(operand)]) return std::nullopt;
    numbers[i].integer = is_factor ? body[operand].integer : *of.steps[Index(operand)];
  }
  return ApplyScalar(expression.op, loops::Type::Long, numbers).integer;
}

}  // namespace

Dependence Analyse(const loops::Kernel& kernel, std::optional<uint32_t> lane, bool wide_rows) {
  const std::vector<Expression>& expressions = kernel.body.expressions();
  Dependence result;
  for (const Expression& expression : expressions) {
    bool varies = (expression.op == Op::kIndex && lane == static_cast<uint32_t>(expression.integer)) ||
                  (expression.op == Op::kRow && wide_rows);
    bool reads_written =
        expression.op == Op::kLoad && kernel.buffers[static_cast<size_t>(expression.integer)].is_written;
    for (const loops::ExprId operand : expression.operands) {
      varies = varies || result.varies[Index(operand)];
      reads_written = reads_written || result.reads_written[Index(operand)];
    }
    const bool is_affine = expression.type == loops::Type::Long && (!varies || IsAffine(expression, result));
    result.steps.push_back(!varies     ? std::optional<int64_t>(0)
                           : is_affine ? StepOf(kernel.body, expression, result)
                                       : std::nullopt);
    result.varies.push_back(varies);
    result.reads_written.push_back(reads_written);
    result.is_affine.push_back(is_affine);
  }
  result.is_small = SmallIntegers(kernel);
  return result;
}

}  // namespace culprit::compiler::codegen
