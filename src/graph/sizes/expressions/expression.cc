// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/expression.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::graph::sizes {
namespace {

using Number = std::optional<int64_t>;

Number Add(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? Number() : Number(result);
}

Number Subtract(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? Number() : Number(result);
}

Number Multiply(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? Number() : Number(result);
}

Number FloorDivide(int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return Subtract(0, a);
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Number Modulo(int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Number Compute(Operation operation, int64_t a, int64_t b) {
  switch (operation) {
    case Operation::kAdd:
      return Add(a, b);
    case Operation::kSubtract:
      return Subtract(a, b);
    case Operation::kMultiply:
      return Multiply(a, b);
    case Operation::kFloorDivide:
      return FloorDivide(a, b);
    case Operation::kModulo:
      return Modulo(a, b);
    case Operation::kMinimum:
      return std::min(a, b);
    case Operation::kMaximum:
      return std::max(a, b);
  }
  return std::nullopt;
}

/// What is left of an operation with a constant on one side.
std::optional<Expression> Simplified(Operation operation, const Expression& a, const Expression& b) {
  switch (operation) {
    case Operation::kAdd:
      if (a.IsConstant(0)) return b;
      if (b.IsConstant(0)) return a;
      return std::nullopt;
    case Operation::kSubtract:
      if (b.IsConstant(0)) return a;
      return std::nullopt;
    case Operation::kMultiply:
      if (a.IsConstant(0) || b.IsConstant(0)) return Expression::Constant(0);
      if (a.IsConstant(1)) return b;
      if (b.IsConstant(1)) return a;
      return std::nullopt;
    case Operation::kFloorDivide:
      if (b.IsConstant(1)) return a;
      return std::nullopt;
    case Operation::kModulo:
      if (b.IsConstant(1)) return Expression::Constant(0);
      return std::nullopt;
    default:
      return a == b ? std::optional(a) : std::nullopt;
  }
}

constexpr int kAtomStrength = 3;

int StrengthOf(const Expression& expression) {
  if (expression.kind() == Expression::Kind::kConstant) return expression.constant() < 0 ? 1 : kAtomStrength;
  if (expression.kind() != Expression::Kind::kOperation) return kAtomStrength;
  switch (expression.operation()) {
    case Operation::kAdd:
    case Operation::kSubtract:
      return 1;
    case Operation::kMinimum:
    case Operation::kMaximum:
      return kAtomStrength;
    default:
      return 2;
  }
}

const char* SignOf(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return " + ";
    case Operation::kSubtract:
      return " - ";
    case Operation::kMultiply:
      return "*";
    case Operation::kFloorDivide:
      return "//";
    case Operation::kModulo:
      return " % ";
    case Operation::kMinimum:
      return "min";
    case Operation::kMaximum:
      return "max";
  }
  return "";
}

/// Only sums of what is known to grow together: enough to see that a product of sizes is not 1.
Bounds BoundsOfOperation(Operation operation, const Bounds& a, const Bounds& b) {
  const auto both = [&](const Number& x, const Number& y) -> Number {
    return x && y ? Compute(operation, *x, *y) : Number();
  };
  const bool divides_by_positive = b.least && *b.least > 0 && b.least == b.largest;
  switch (operation) {
    case Operation::kAdd:
      return {both(a.least, b.least), both(a.largest, b.largest)};
    case Operation::kSubtract:
      return {both(a.least, b.largest), both(a.largest, b.least)};
    case Operation::kMultiply:
      if (a.least.value_or(-1) < 0 || b.least.value_or(-1) < 0) return {};
      return {both(a.least, b.least), both(a.largest, b.largest)};
    case Operation::kFloorDivide:
      if (!divides_by_positive) return {};
      return {both(a.least, b.least), both(a.largest, b.least)};
    case Operation::kModulo:
      if (!divides_by_positive) return {};
      return {0, *b.least - 1};
    case Operation::kMinimum:
      return {both(a.least, b.least), a.largest && b.largest ? both(a.largest, b.largest)
                                      : a.largest            ? a.largest
                                                             : b.largest};
    case Operation::kMaximum:
      return {a.least && b.least ? both(a.least, b.least)
              : a.least          ? a.least
                                 : b.least,
              both(a.largest, b.largest)};
  }
  return {};
}

}  // namespace

Expression Expression::Constant(int64_t value) {
  return Expression(Node{.number = value});
}

Expression Expression::Symbol(size_t index) {
  return Expression(Node{.kind = Kind::kSymbol, .number = static_cast<int64_t>(index)});
}

Expression Expression::Size(ValueId value, int64_t dimension) {
  return Expression(Node{.kind = Kind::kSize, .number = dimension, .value = value});
}

Expression Expression::Of(Operation operation, const Expression& a, const Expression& b) {
  if (a.kind() == Kind::kConstant && b.kind() == Kind::kConstant) {
    if (const Number result = Compute(operation, a.constant(), b.constant())) return Constant(*result);
  }
  if (std::optional<Expression> simple = Simplified(operation, a, b)) return *std::move(simple);
  // Constants stand behind in sums and in front in products, as people write them.
  const bool is_product = operation == Operation::kMultiply;
  const bool can_turn = is_product || operation == Operation::kAdd;
  const bool turns = can_turn && (is_product ? b : a).kind() == Kind::kConstant;
  return Expression(Node{.kind = Kind::kOperation,
                         .operation = operation,
                         .operands = turns ? std::vector{b, a} : std::vector{a, b}});
}

bool Expression::HasSymbolsOnly() const {
  if (kind() == Kind::kOperation) return a().HasSymbolsOnly() && b().HasSymbolsOnly();
  return kind() != Kind::kSize;
}

bool Expression::operator==(const Expression& other) const {
  if (node_ == other.node_) return true;
  if (kind() != other.kind() || node_->number != other.node_->number || node_->value != other.node_->value)
    return false;
  return kind() != Kind::kOperation ||
         (operation() == other.operation() && a() == other.a() && b() == other.b());
}

std::optional<int64_t> Evaluate(const Expression& expression, c10::ArrayRef<int64_t> symbols) {
  switch (expression.kind()) {
    case Expression::Kind::kConstant:
      return expression.constant();
    case Expression::Kind::kSymbol:
      return symbols[expression.symbol()];
    case Expression::Kind::kSize:
      return std::nullopt;
    case Expression::Kind::kOperation:
      break;
  }
  const Number a = Evaluate(expression.a(), symbols);
  const Number b = Evaluate(expression.b(), symbols);
  return a && b ? Compute(expression.operation(), *a, *b) : Number();
}

Bounds BoundsOf(const Expression& expression) {
  switch (expression.kind()) {
    case Expression::Kind::kConstant:
      return {expression.constant(), expression.constant()};
    case Expression::Kind::kSymbol:
      return {2, std::nullopt};
    case Expression::Kind::kSize:
      return {0, std::nullopt};
    case Expression::Kind::kOperation:
      return BoundsOfOperation(expression.operation(), BoundsOf(expression.a()), BoundsOf(expression.b()));
  }
  return {};
}

std::string ToString(const Expression& expression, const std::function<std::string(ValueId)>& value_name) {
  switch (expression.kind()) {
    case Expression::Kind::kConstant:
      return fmt::format("{}", expression.constant());
    case Expression::Kind::kSymbol:
      return fmt::format("s{}", expression.symbol());
    case Expression::Kind::kSize:
      return fmt::format("size({}, {})", value_name ? value_name(expression.value()) : "?",
                         expression.dimension());
    case Expression::Kind::kOperation:
      break;
  }
  const Operation operation = expression.operation();
  if (operation == Operation::kMinimum || operation == Operation::kMaximum)
    return fmt::format("{}({}, {})", SignOf(operation), ToString(expression.a(), value_name),
                       ToString(expression.b(), value_name));
  const int strength = StrengthOf(expression);
  // a - (b - c) and a*(b//c) need their parentheses, a + (b - c) and a*(b*c) do not.
  const bool is_free =
      operation == Operation::kAdd ||
      (operation == Operation::kMultiply && expression.b().kind() == Expression::Kind::kOperation &&
       expression.b().operation() == Operation::kMultiply);
  const auto part = [&](const Expression& operand, bool needs_more) {
    const int needed = strength + (needs_more ? 1 : 0);
    const std::string text = ToString(operand, value_name);
    return StrengthOf(operand) < needed ? "(" + text + ")" : text;
  };
  const bool adds_negative = operation == Operation::kAdd &&
                             expression.b().kind() == Expression::Kind::kConstant &&
                             expression.b().constant() < 0;
  if (adds_negative)
    return fmt::format("{} - {}", part(expression.a(), false),
                       -static_cast<__int128>(expression.b().constant()));
  return part(expression.a(), false) + SignOf(operation) + part(expression.b(), !is_free);
}

}  // namespace culprit::graph::sizes
