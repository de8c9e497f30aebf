// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/analysis/small_integers.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace culprit::compiler::codegen {
namespace {

using loops::Expression;
using loops::Op;
using loops::Type;

/// Products of two of them still fit into 64 bits.
constexpr int64_t kLargest = int64_t{1} << 30;
/// More than any number of lanes.
constexpr int64_t kBehindLast = 1024;

struct Interval {
  int64_t low = 0;
  int64_t high = 0;
};

using Known = std::optional<Interval>;

Known IfSmall(int64_t low, int64_t high) {
  if (low < -kLargest || high > kLargest) return std::nullopt;
  return Interval{low, high};
}

Known OfProduct(const Interval& a, const Interval& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return IfSmall(low, high);
}

Known OfType(Type type) {
  switch (type) {
    case Type::Bool:
      return Interval{0, 1};
    case Type::Byte:
      return Interval{0, 255};
    case Type::Char:
      return Interval{-128, 127};
    case Type::Short:
      return Interval{-32768, 32767};
    default:
      return std::nullopt;
  }
}

Known OfBinary(Op op, const Interval& a, const Interval& b) {
  const int64_t size = std::max(std::abs(a.low), std::abs(a.high));
  switch (op) {
    case Op::kAdd:
      return IfSmall(a.low + b.low, a.high + b.high);
    case Op::kSub:
      return IfSmall(a.low - b.high, a.high - b.low);
    case Op::kMul:
      return OfProduct(a, b);
    case Op::kMin:
      return Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::kMax:
      return Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::kFloorDiv:
    case Op::kTruncDiv:
      return b.low > 0 ? IfSmall(-size, size) : std::nullopt;
    case Op::kRemainder:
      return b.low > 0 ? IfSmall(0, b.high) : std::nullopt;
    default:
      return std::nullopt;
  }
}

Known Of(const loops::Kernel& kernel, const Expression& expression, const std::vector<Known>& known) {
  const auto operand = [&](size_t i) { return known[Index(expression.operands[i])]; };
  switch (expression.op) {
    case Op::kConstant:
      return IfSmall(expression.integer, expression.integer);
    case Op::kIndex: {
      const Expression& extent = kernel.body[kernel.extents[static_cast<size_t>(expression.integer)]];
      if (extent.op != Op::kConstant) return std::nullopt;
      return IfSmall(0, extent.integer + kBehindLast);
    }
    case Op::kCast:
      return OfType(kernel.body.type(expression.operands[0]));
    case Op::kSelect:
      if (!operand(1) || !operand(2)) return std::nullopt;
      return Interval{std::min(operand(1)->low, operand(2)->low),
                      std::max(operand(1)->high, operand(2)->high)};
    default:
      break;
  }
  if (expression.operands.size() != 2 || expression.op == Op::kLoad) return std::nullopt;
  if (!operand(0) || !operand(1)) return std::nullopt;
  return OfBinary(expression.op, *operand(0), *operand(1));
}

}  // namespace

std::vector<bool> SmallIntegers(const loops::Kernel& kernel) {
  std::vector<Known> known;
  std::vector<bool> result;
  for (const Expression& expression : kernel.body.expressions()) {
    known.push_back(expression.type == Type::Long ? Of(kernel, expression, known) : std::nullopt);
    result.push_back(known.back().has_value());
  }
  return result;
}

}  // namespace culprit::compiler::codegen
