// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/affine.h"

#include <unordered_map>

namespace culprit::compiler::schedule {

using loops::Body;
using loops::Expression;
using loops::ExprId;
using loops::Op;

namespace {

// sum + other * factor.
std::optional<Affine> Sum(Affine sum, const Affine& other, int64_t factor) {
  const auto add = [&](int64_t& to, int64_t number) {
    int64_t product = 0;
    return !__builtin_mul_overflow(number, factor, &product) && !__builtin_add_overflow(to, product, &to);
  };
  if (!add(sum.constant, other.constant)) return std::nullopt;
  for (const auto& [variable, coefficient] : other.coefficients) {
    int64_t& own = sum.coefficients[variable];
    if (!add(own, coefficient)) return std::nullopt;
    if (own == 0) sum.coefficients.erase(variable);
  }
  return sum;
}

// Looks at each expression once, however often it is used.
class Reader {
 public:
  explicit Reader(const Body& body) : body_(body) {}

  const std::optional<Affine>& Of(ExprId id) {
    const auto known = known_.find(Index(id));
    return known != known_.end() ? known->second : known_.emplace(Index(id), Read(body_[id])).first->second;
  }

 private:
  std::optional<Affine> Read(const Expression& expression) {
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
        return Combined(expression.op, Of(expression.operands[0]), Of(expression.operands[1]));
      default:
        return std::nullopt;
    }
  }

  static std::optional<Affine> Combined(Op op, const std::optional<Affine>& left,
                                        const std::optional<Affine>& right) {
    if (!left || !right) return std::nullopt;
    if (op != Op::kMul) return Sum(*left, *right, op == Op::kAdd ? 1 : -1);
    if (right->coefficients.empty()) return Sum({}, *left, right->constant);
    return left->coefficients.empty() ? Sum({}, *right, left->constant) : std::nullopt;
  }

  const Body& body_;
  std::unordered_map<uint32_t, std::optional<Affine>> known_;
};

}  // namespace

std::optional<Affine> AffineOf(const Body& body, ExprId id) {
  return Reader(body).Of(id);
}

ExprId Emit(const Affine& affine, Body& body, NumberWriter numbers) {
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
