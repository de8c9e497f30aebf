// SPDX-License-Identifier: Apache-2.0
//
// What is computed in the innermost of some loops: expressions, one behind the other, operands before their
// users.
//
//   %0: long = index 0
//   %1: float = load x[%0]
//   %2: float = exp %1
//
// Equal expressions are one: asking for an expression that is there gives that. So everything that fusion
// brings together shares what it can, with no pass for it.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/loops/op.h"

namespace culprit::compiler::loops {

using Type = c10::ScalarType;

/// Names an expression of one body: its index in Body::expressions().
enum class ExprId : uint32_t {};
constexpr uint32_t Index(ExprId id) {
  return static_cast<uint32_t>(id);
}

struct Expression {
  Op op = Op::kConstant;
  Type type = Type::Float;
  c10::SmallVector<ExprId, 4> operands = {};
  /// A constant of an integer or Bool type; a size; which loop variable; which source of a load; which stage
  /// of a row.
  int64_t integer = 0;
  /// A constant of a floating type.
  double number = 0;
  /// Of a load: the last operand is a mask.
  bool masked = false;

  bool operator==(const Expression& other) const;
};

class Body {
 public:
  const std::vector<Expression>& expressions() const { return expressions_; }
  const Expression& operator[](ExprId id) const { return expressions_[Index(id)]; }
  Type type(ExprId id) const { return expressions_[Index(id)].type; }

  ExprId Constant(double number, Type type);
  ExprId Constant(int64_t integer, Type type);
  ExprId Constant(int integer, Type type) { return Constant(int64_t{integer}, type); }
  /// A size, a stride or what is computed of them: like a constant, except that it may become an argument of
  /// a kernel (Kernel::numbers). 0 and 1 are constants, since kernels for them differ.
  ExprId Size(int64_t size);
  ExprId IndexOf(uint32_t variable);
  /// `source` is what the body's owner says. One index per dimension of it.
  ExprId Load(uint32_t source, Type type, c10::ArrayRef<ExprId> indices);
  ExprId MaskedLoad(uint32_t source, Type type, c10::ArrayRef<ExprId> indices, ExprId mask);
  ExprId Row(uint32_t stage, Type type);
  ExprId Cast(ExprId operand, Type type);
  /// Operations of one to three operands. Constants are folded, and 0 and 1 where they change nothing: for
  /// integers always, for floats never.
  ExprId Apply(Op op, c10::ArrayRef<ExprId> operands);
  ExprId Select(ExprId condition, ExprId yes, ExprId no) { return Apply(Op::kSelect, {condition, yes, no}); }

  /// As it is, with these operands, which are this body's.
  ExprId Add(Expression expression);

  bool IsConstant(ExprId id, int64_t integer) const;

 private:
  struct Hash {
    size_t operator()(const Expression& expression) const;
  };
  std::vector<Expression> expressions_;
  std::unordered_map<Expression, ExprId, Hash> known_;
};

/// Copies of expressions into `target`. `leaf(expression)` gives what stands for a load, an index, a size or
/// a row there, or nothing, and then it is copied, with its operands. `mask`, if there is one, is an
/// expression of the target without which no load may happen: every load that is copied gets it.
class BodyCopy {
 public:
  using Leaf = std::function<std::optional<ExprId>(const Expression&, BodyCopy&)>;

  BodyCopy(const Body& source, Body& target, Leaf leaf, std::optional<ExprId> mask = std::nullopt)
      : source_(source), target_(target), leaf_(std::move(leaf)), mask_(mask) {}

  ExprId operator()(ExprId id);

  Body& target() { return target_; }

 private:
  ExprId Copied(const Expression& expression);

  const Body& source_;
  Body& target_;
  Leaf leaf_;
  std::optional<ExprId> mask_;
  std::unordered_map<uint32_t, ExprId> done_;
};

/// One expression per line, as above. `source` names the sources of loads.
std::string ToText(const Body& body, const std::function<std::string(uint32_t)>& source);

std::string_view NameOf(Type type);

bool IsFloat(Type type);
bool IsInteger(Type type);

}  // namespace culprit::compiler::loops
