// SPDX-License-Identifier: Apache-2.0
//
// A whole number that depends on sizes, as a tree that cannot change:
//
//   s0, s1             symbols: sizes of inputs, and whole numbers among them, that differ from call to call
//   size(relu, 2)      the size of a value of a graph, known when that has been computed
//   12*s0, s0*s1 + 4, (s1 - 1)//2 + 1, s0 % 32, min(s0, 8)
//
// Constants are folded when a tree is made: a factor 1 and an addend 0 are dropped, a factor 0 decides.
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "graph/ir/ids.h"

namespace culprit::graph::sizes {

enum class Operation : uint8_t { kAdd, kSubtract, kMultiply, kFloorDivide, kModulo, kMinimum, kMaximum };

class Expression {
 public:
  enum class Kind : uint8_t { kConstant, kSymbol, kSize, kOperation };

  static Expression Constant(int64_t value);
  static Expression Symbol(size_t index);
  static Expression Size(ValueId value, int64_t dimension);
  /// Division and modulo round towards minus infinity, as Python's do. Constants that cannot be folded, since
  /// the result is no 64-bit integer, stay as they are.
  static Expression Of(Operation operation, const Expression& a, const Expression& b);

  Kind kind() const { return node_->kind; }
  int64_t constant() const { return node_->number; }
  size_t symbol() const { return static_cast<size_t>(node_->number); }
  ValueId value() const { return node_->value; }
  int64_t dimension() const { return node_->number; }
  Operation operation() const { return node_->operation; }
  const Expression& a() const { return node_->operands[0]; }
  const Expression& b() const { return node_->operands[1]; }

  bool IsConstant(int64_t value) const { return kind() == Kind::kConstant && constant() == value; }
  /// Whether symbols are all that it depends on, so that it is known before a graph runs.
  bool HasSymbolsOnly() const;
  bool operator==(const Expression& other) const;

 private:
  struct Node {
    Kind kind = Kind::kConstant;
    Operation operation = Operation::kAdd;
    int64_t number = 0;
    ValueId value = ValueId(0);
    std::vector<Expression> operands = {};
  };
  explicit Expression(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

  std::shared_ptr<const Node> node_;
};

inline Expression operator+(const Expression& a, const Expression& b) {
  return Expression::Of(Operation::kAdd, a, b);
}
inline Expression operator*(const Expression& a, const Expression& b) {
  return Expression::Of(Operation::kMultiply, a, b);
}

/// Nothing on overflow and on division by zero. It has symbols only.
std::optional<int64_t> Evaluate(const Expression& expression, c10::ArrayRef<int64_t> symbols);

/// The least and the largest value that it can have, if all symbols are at least 2; nothing where there is no
/// bound. It has symbols only.
struct Bounds {
  std::optional<int64_t> least;
  std::optional<int64_t> largest;
};
Bounds BoundsOf(const Expression& expression);

/// Symbols are called s0, s1 ...; `value_name` says what values are called.
std::string ToString(const Expression& expression,
                     const std::function<std::string(ValueId)>& value_name = nullptr);

}  // namespace culprit::graph::sizes
