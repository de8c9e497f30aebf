// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/cost.h"

#include <algorithm>

namespace culprit::compiler::schedule {

using loops::Op;

int CostOf(Op op) {
  constexpr int kFunction = 10;
  constexpr int kDivision = 3;
  switch (op) {
    case Op::kConstant:
    case Op::kSize:
    case Op::kIndex:
    case Op::kRow:
    case Op::kFence:
      return 0;
    case Op::kDiv:
    case Op::kSqrt:
    case Op::kFloorDiv:
    case Op::kTruncDiv:
    case Op::kRemainder:
      return kDivision;
    case Op::kFmod:
    case Op::kPow:
    case Op::kAtan2:
    case Op::kHypot:
    case Op::kNextafter:
      return kFunction;
    default:
      return op >= Op::kExp && op <= Op::kLgamma ? kFunction : 1;
  }
}

int CostOf(const loops::Loop& loop) {
  int cost = 0;
  std::vector<bool> is_loaded;
  for (const loops::Expression& expression : loop.body.expressions()) {
    is_loaded.push_back(
        expression.op == Op::kLoad ||
        std::ranges::any_of(expression.operands, [&](loops::ExprId id) { return is_loaded[Index(id)]; }));
    // Longs that come from indices alone are places: cheap, and shared with other places.
    if (is_loaded.back() || expression.type != loops::Type::Long) cost += CostOf(expression.op);
  }
  return cost;
}

int64_t IterationsOf(const loops::Value& value) {
  int64_t iterations = 1;
  for (const int64_t size : value.sizes) iterations *= size;
  if (value.loop)
    for (const int64_t extent : value.loop->reduced) iterations *= extent;
  return iterations;
}

}  // namespace culprit::compiler::schedule
