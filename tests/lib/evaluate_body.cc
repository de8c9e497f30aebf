// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/evaluate_body.h"

namespace culprit::tests {

using compiler::loops::Body;
using compiler::loops::Expression;
using compiler::loops::ExprId;
using compiler::loops::Op;
using compiler::loops::Scalar;

BodyEvaluator::BodyEvaluator(const Body& body, ExprId result, ReadElement read)
    : body_(body),
      result_(result),
      read_(std::move(read)),
      is_needed_(body.expressions().size()),
      scalars_(body.expressions().size()) {
  is_needed_[Index(result)] = true;
  for (size_t i = body.expressions().size(); i-- > 0;)
    if (is_needed_[i])
      for (const ExprId operand : body.expressions()[i].operands) is_needed_[Index(operand)] = true;
}

Scalar BodyEvaluator::Run(const std::vector<int64_t>& variables) {
  for (size_t i = 0; i < scalars_.size(); ++i)
    if (is_needed_[i]) scalars_[i] = Evaluate(body_.expressions()[i], variables);
  return scalars_[Index(result_)];
}

Scalar BodyEvaluator::Load(const Expression& load) {
  size_t indices = load.operands.size();
  if (load.masked && Operand(load, --indices).integer == 0) return {};
  std::vector<int64_t> at;
  for (size_t i = 0; i < indices; ++i) at.push_back(Operand(load, i).integer);
  return read_(static_cast<uint32_t>(load.integer), at);
}

Scalar BodyEvaluator::Evaluate(const Expression& expression, const std::vector<int64_t>& variables) {
  switch (expression.op) {
    case Op::kConstant:
      return {expression.number, expression.integer};
    case Op::kSize:
      return {.integer = expression.integer};
    case Op::kIndex:
      return {.integer = variables[static_cast<size_t>(expression.integer)]};
    case Op::kLoad:
      return Load(expression);
    default:
      break;
  }
  std::vector<Scalar> operands;
  for (size_t i = 0; i < expression.operands.size(); ++i) operands.push_back(Operand(expression, i));
  const compiler::loops::Type type = body_.type(expression.operands.back());
  if (expression.op == Op::kCast) return CastScalar(operands[0], type, expression.type);
  return ApplyScalar(expression.op, type, operands.data());
}

}  // namespace culprit::tests
