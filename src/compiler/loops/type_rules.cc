// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/type_rules.h"

#include <algorithm>

#include "base/internal_error.h"

namespace culprit::compiler::loops {
namespace {

bool IsIn(Type type, Domain domain) {
  switch (domain) {
    case Domain::kAny:
      return true;
    case Domain::kFloats:
      return IsFloat(type);
    case Domain::kIntegers:
      return IsInteger(type);
    case Domain::kNumbers:
      return IsFloat(type) || IsInteger(type);
    case Domain::kIntegersAndBool:
      return IsInteger(type) || type == Type::Bool;
    case Domain::kBool:
      return type == Type::Bool;
  }
  return false;
}

void VerifyLoad(const Body& body, const Expression& load, size_t place) {
  const size_t indices = load.operands.size() - (load.masked ? 1 : 0);
  for (size_t i = 0; i < indices; ++i)
    CULPRIT_CHECK(body.type(load.operands[i]) == Type::Long, "%{}: an index is no Long", place);
  if (load.masked)
    CULPRIT_CHECK(body.type(load.operands.back()) == Type::Bool, "%{}: the mask is no Bool", place);
}

void VerifyOperation(const Body& body, const Expression& expression, size_t place) {
  const OpDescription& description = Describe(expression.op);
  CULPRIT_CHECK(expression.operands.size() == description.operands, "%{}: {} with {} operands", place,
                description.name, expression.operands.size());
  if (expression.op == Op::kCast || expression.operands.empty()) return;
  size_t first = 0;
  if (expression.op == Op::kSelect) {
    CULPRIT_CHECK(body.type(expression.operands[0]) == Type::Bool,
                  "%{}: select by something else than a Bool", place);
    first = 1;
  }
  const Type type = body.type(expression.operands.back());
  for (size_t i = first; i < expression.operands.size(); ++i)
    CULPRIT_CHECK(body.type(expression.operands[i]) == type, "%{}: {} of {} and {}", place, description.name,
                  NameOf(body.type(expression.operands[i])), NameOf(type));
  CULPRIT_CHECK(IsIn(type, description.domain), "%{}: {} of {}", place, description.name, NameOf(type));
  CULPRIT_CHECK(expression.type == (description.gives == Gives::kBool ? Type::Bool : type),
                "%{}: {} gives {}", place, description.name, NameOf(expression.type));
}

}  // namespace

Type TypeInRegisters(at::ScalarType dtype) {
  return dtype == at::kHalf || dtype == at::kBFloat16 ? Type::Float : dtype;
}

bool IsComputable(at::ScalarType dtype) {
  const Type type = TypeInRegisters(dtype);
  return IsFloat(type) || IsInteger(type) || type == Type::Bool;
}

void VerifyTypes(const Body& body) {
  for (size_t i = 0; i < body.expressions().size(); ++i) {
    const Expression& expression = body.expressions()[i];
    for (const ExprId operand : expression.operands)
      CULPRIT_CHECK(Index(operand) < i, "%{} uses %{}, which is behind it", i, Index(operand));
    CULPRIT_CHECK(TypeInRegisters(expression.type) == expression.type && IsComputable(expression.type),
                  "%{} is a {}, which is no type of expressions", i, NameOf(expression.type));
    expression.op == Op::kLoad ? VerifyLoad(body, expression, i) : VerifyOperation(body, expression, i);
  }
}

}  // namespace culprit::compiler::loops
