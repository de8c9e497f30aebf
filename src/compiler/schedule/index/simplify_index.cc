// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/simplify_index.h"

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

struct Range {
  int64_t least = 0;
  int64_t most = 0;
};

// Over all iterations; nothing if some of them wrap.
std::optional<Range> RangeOf(const Affine& affine, const std::vector<int64_t>& extents) {
  Range range{affine.constant, affine.constant};
  for (const auto& [variable, coefficient] : affine.coefficients) {
    int64_t& end = coefficient < 0 ? range.least : range.most;
    int64_t way = 0;
    if (__builtin_mul_overflow(coefficient, std::max<int64_t>(extents[variable] - 1, 0), &way) ||
        __builtin_add_overflow(end, way, &end))
      return std::nullopt;
  }
  return range;
}

}  // namespace

std::optional<ExprId> SimplifiedIndex(Body& body, const Expression& expression,
                                      const std::vector<int64_t>& extents, NumberWriter numbers) {
  if (expression.op != Op::kFloorDiv && expression.op != Op::kRemainder) return std::nullopt;
  const std::optional<Affine> dividend = AffineOf(body, expression.operands[0]);
  const std::optional<Affine> divisor = AffineOf(body, expression.operands[1]);
  if (!dividend || !divisor || !divisor->coefficients.empty() || divisor->constant <= 0) return std::nullopt;
  if (dividend->constant < 0) return std::nullopt;
  const Split split = SplitBy(*dividend, divisor->constant);
  const std::optional<Range> rest = RangeOf(split.rest, extents);
  // The program's own arithmetic on indices comes here, too, and may wrap.
  if (!rest || !RangeOf(*dividend, extents)) return std::nullopt;
  if (rest->least >= 0 && rest->most < divisor->constant)
    return Emit(expression.op == Op::kFloorDiv ? split.multiple : split.rest, body, numbers);
  if (expression.op == Op::kFloorDiv || split.multiple.coefficients.empty()) return std::nullopt;
  // What is a multiple does not matter for the remainder.
  return body.Apply(Op::kRemainder, {Emit(split.rest, body, numbers), expression.operands[1]});
}

}  // namespace culprit::compiler::schedule
