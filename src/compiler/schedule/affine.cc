// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/affine.h"

namespace culprit::compiler::schedule {

using loops::Body;
using loops::Expression;
using loops::ExprId;
using loops::Op;

void Affine::Add(const Affine& other, int64_t factor) {
  constant += other.constant * factor;
  for (const auto& [variable, coefficient] : other.coefficients) {
    int64_t& sum = coefficients[variable];
    sum += coefficient * factor;
    if (sum == 0) coefficients.erase(variable);
  }
}

std::optional<Affine> AffineOf(const Body& body, ExprId id) {
  const Expression& expression = body[id];
  if (expression.type != loops::Type::Long) return std::nullopt;
  switch (expression.op) {
    case Op::kConstant:
    case Op::kSize:
      return Affine{{}, expression.integer};
    case Op::kIndex:
      return Affine{{{static_cast<uint32_t>(expression.integer), 1}}, 0};
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
      break;
    default:
      return std::nullopt;
  }
  std::optional<Affine> left = AffineOf(body, expression.operands[0]);
  std::optional<Affine> right = AffineOf(body, expression.operands[1]);
  if (!left || !right) return std::nullopt;
  if (expression.op != Op::kMul) {
    left->Add(*right, expression.op == Op::kAdd ? 1 : -1);
    return left;
  }
  if (left->coefficients.empty()) std::swap(left, right);
  if (!right->coefficients.empty()) return std::nullopt;
  Affine product;
  product.Add(*left, right->constant);
  return product;
}

ExprId Emit(const Affine& affine, Body& body, Numbers numbers) {
  std::optional<ExprId> sum;
  for (const auto& [variable, coefficient] : affine.coefficients) {
    const ExprId term = body.Apply(Op::kMul, {body.IndexOf(variable), numbers(body, coefficient)});
    sum = sum ? body.Apply(Op::kAdd, {*sum, term}) : term;
  }
  if (!sum) return numbers(body, affine.constant);
  if (affine.constant == 0) return *sum;
  return body.Apply(Op::kAdd, {*sum, numbers(body, affine.constant)});
}

}  // namespace culprit::compiler::schedule
