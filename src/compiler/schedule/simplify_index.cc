// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/simplify_index.h"

namespace culprit::compiler::schedule {

using loops::Body;
using loops::Expression;
using loops::ExprId;
using loops::Op;

namespace {

// dividend = divisor * multiple + rest.
struct Split {
  Affine multiple;
  Affine rest;
};

Split SplitBy(const Affine& dividend, int64_t divisor) {
  Split split;
  for (const auto& [variable, coefficient] : dividend.coefficients) {
    if (coefficient % divisor == 0)
      split.multiple.coefficients[variable] = coefficient / divisor;
    else
      split.rest.coefficients[variable] = coefficient;
  }
  split.multiple.constant = dividend.constant / divisor;
  split.rest.constant = dividend.constant % divisor;
  return split;
}

// Whether it is from 0 up to `limit` in all iterations.
bool StaysBelow(const Affine& affine, int64_t limit, const std::vector<int64_t>& extents) {
  int64_t least = affine.constant;
  int64_t most = affine.constant;
  for (const auto& [variable, coefficient] : affine.coefficients) {
    const int64_t last = std::max<int64_t>(extents[variable] - 1, 0);
    (coefficient < 0 ? least : most) += coefficient * last;
  }
  return least >= 0 && most < limit;
}

}  // namespace

std::optional<ExprId> SimplifiedIndex(Body& body, const Expression& expression,
                                      const std::vector<int64_t>& extents, Numbers numbers) {
  if (expression.op != Op::kFloorDiv && expression.op != Op::kRemainder) return std::nullopt;
  const std::optional<Affine> dividend = AffineOf(body, expression.operands[0]);
  const std::optional<Affine> divisor = AffineOf(body, expression.operands[1]);
  if (!dividend || !divisor || !divisor->coefficients.empty() || divisor->constant <= 0) return std::nullopt;
  if (dividend->constant < 0) return std::nullopt;
  const Split split = SplitBy(*dividend, divisor->constant);
  if (StaysBelow(split.rest, divisor->constant, extents))
    return Emit(expression.op == Op::kFloorDiv ? split.multiple : split.rest, body, numbers);
  if (expression.op == Op::kFloorDiv || split.multiple.coefficients.empty()) return std::nullopt;
  // What is a multiple does not matter for the remainder.
  return body.Apply(Op::kRemainder, {Emit(split.rest, body, numbers), expression.operands[1]});
}

}  // namespace culprit::compiler::schedule
