// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/fold.h"

#include "compiler/loops/scalar_math.h"

namespace culprit::compiler::loops {
namespace {

bool IsConstant(const Expression& expression) {
  return expression.op == Op::kConstant;
}

// Shifts and divisors may be what no processor computes.
bool IsDefined(Op op, int64_t right) {
  switch (op) {
    case Op::kFloorDiv:
    case Op::kTruncDiv:
    case Op::kRemainder:
    case Op::kFmod:
      return right > 0;
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return false;
    default:
      return true;
  }
}

std::optional<ExprId> FoldedCast(Body& body, const Expression& cast) {
  const Expression operand = body[cast.operands[0]];
  if (!IsConstant(operand)) return std::nullopt;
  if (!IsFloat(operand.type)) {
    if (cast.type == Type::Bool) return body.Constant(static_cast<int64_t>(operand.integer != 0), Type::Bool);
    return body.Constant(operand.integer, cast.type);
  }
  if (IsFloat(cast.type)) return body.Constant(operand.number, cast.type);
  if (cast.type == Type::Bool) return body.Constant(static_cast<int64_t>(operand.number != 0), Type::Bool);
  return std::nullopt;
}

// x + 0, x * 1, x * 0, x and true ...
std::optional<ExprId> FoldedIdentity(Body& body, const Expression& expression, ExprId x, ExprId constant,
                                     bool constant_is_right) {
  const int64_t integer = body[constant].integer;
  const bool is_bool = body.type(x) == Type::Bool;
  switch (expression.op) {
    case Op::kAdd:
      return integer == 0 ? std::optional(x) : std::nullopt;
    case Op::kSub:
      return integer == 0 && constant_is_right ? std::optional(x) : std::nullopt;
    case Op::kMul:
      if (integer == 0) return constant;
      return integer == 1 ? std::optional(x) : std::nullopt;
    case Op::kFloorDiv:
    case Op::kTruncDiv:
      return integer == 1 && constant_is_right ? std::optional(x) : std::nullopt;
    case Op::kRemainder:
      if (integer == 1 && constant_is_right) return body.Constant(int64_t{0}, body.type(x));
      return std::nullopt;
    case Op::kAnd:
      if (!is_bool) return std::nullopt;
      return integer == 0 ? constant : x;
    case Op::kOr:
      if (!is_bool) return std::nullopt;
      return integer == 0 ? x : constant;
    default:
      return std::nullopt;
  }
}

std::optional<ExprId> FoldedBinary(Body& body, const Expression& expression) {
  const ExprId left = expression.operands[0];
  const ExprId right = expression.operands[1];
  if (IsFloat(body.type(left))) return std::nullopt;
  if (IsConstant(body[left]) && IsConstant(body[right])) {
    if (!IsDefined(expression.op, body[right].integer)) return std::nullopt;
    const Scalar operands[] = {{.integer = body[left].integer}, {.integer = body[right].integer}};
    return body.Constant(ApplyScalar(expression.op, body.type(left), operands).integer, expression.type);
  }
  if (IsConstant(body[right])) return FoldedIdentity(body, expression, left, right, true);
  if (IsConstant(body[left])) return FoldedIdentity(body, expression, right, left, false);
  return std::nullopt;
}

}  // namespace

int64_t WrappedInto(int64_t integer, Type type) {
  switch (type) {
    case Type::Byte:
      return static_cast<uint8_t>(integer);
    case Type::Char:
      return static_cast<int8_t>(integer);
    case Type::Short:
      return static_cast<int16_t>(integer);
    case Type::Int:
      return static_cast<int32_t>(integer);
    case Type::Bool:
      return static_cast<int64_t>(integer != 0);
    default:
      return integer;
  }
}

std::optional<ExprId> Fold(Body& body, const Expression& expression) {
  if (expression.op == Op::kCast) return FoldedCast(body, expression);
  if (expression.op == Op::kSelect) {
    const auto [condition, yes, no] =
        std::tuple(expression.operands[0], expression.operands[1], expression.operands[2]);
    if (yes == no) return yes;
    if (!IsConstant(body[condition])) return std::nullopt;
    return body[condition].integer != 0 ? yes : no;
  }
  if (expression.operands.size() == 2) return FoldedBinary(body, expression);
  if (expression.op == Op::kNot && IsConstant(body[expression.operands[0]]) && expression.type == Type::Bool)
    return body.Constant(static_cast<int64_t>(body[expression.operands[0]].integer == 0), Type::Bool);
  return std::nullopt;
}

}  // namespace culprit::compiler::loops
