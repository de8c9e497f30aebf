// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/flat_index.h"

#include <optional>

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::Expression;
using loops::ExprId;
using loops::Op;

// number // place % count; without a count if nothing is above it.
struct Digit {
  ExprId number = {};
  int64_t place = 1;
  std::optional<int64_t> count = std::nullopt;
};

std::optional<int64_t> NumberOf(const Body& body, ExprId id) {
  const std::optional<Affine> affine = AffineOf(body, id);
  return affine && affine->coefficients.empty() ? std::optional(affine->constant) : std::nullopt;
}

Digit DigitOf(const Body& body, ExprId index) {
  Digit digit{index};
  if (const Expression& top = body[digit.number]; top.op == Op::kRemainder) {
    digit.count = NumberOf(body, top.operands[1]);
    if (!digit.count) return {index};
    digit.number = top.operands[0];
  }
  if (const Expression& top = body[digit.number]; top.op == Op::kFloorDiv) {
    const std::optional<int64_t> place = NumberOf(body, top.operands[1]);
    if (!place) return digit;
    digit.place = *place;
    digit.number = top.operands[0];
  }
  return digit;
}

ExprId Emit(const Digit& digit, Body& body, NumberWriter numbers) {
  ExprId id = body.Apply(Op::kFloorDiv, {digit.number, numbers(body, digit.place)});
  if (digit.count) id = body.Apply(Op::kRemainder, {id, numbers(body, *digit.count)});
  return id;
}

}  // namespace

ExprId FlatIndex(Body& body, std::vector<ExprId> indices, std::vector<int64_t> sizes,
                 std::vector<int64_t> strides, NumberWriter numbers) {
  for (size_t d = sizes.size(); d-- > 1;) {
    if (strides[d - 1] != strides[d] * sizes[d]) continue;
    const Digit low = DigitOf(body, indices[d]);
    const Digit high = DigitOf(body, indices[d - 1]);
    if (high.number != low.number || low.count != sizes[d] || high.place != low.place * sizes[d]) continue;
    Digit both{low.number, low.place};
    if (high.count) both.count = *high.count * *low.count;
    indices[d - 1] = Emit(both, body, numbers);
    sizes[d - 1] *= sizes[d];
    strides[d - 1] = strides[d];
    indices.erase(indices.begin() + static_cast<int64_t>(d));
    sizes.erase(sizes.begin() + static_cast<int64_t>(d));
    strides.erase(strides.begin() + static_cast<int64_t>(d));
  }
  ExprId flat = body.Constant(int64_t{0}, loops::Type::Long);
  for (size_t d = 0; d < sizes.size(); ++d)
    flat = body.Apply(Op::kAdd, {flat, body.Apply(Op::kMul, {indices[d], numbers(body, strides[d])})});
  return flat;
}

}  // namespace culprit::compiler::schedule
