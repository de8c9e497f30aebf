// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/evaluate_body.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>

#include "base/internal_error.h"
#include "compiler/loops/fold.h"

namespace culprit::tests {

using namespace compiler::loops;  // NOLINT: the language that is evaluated

namespace {

double Nan(double a, double b) {
  return a + b;
}

double UnaryFloat(Op op, double x) {
  switch (op) {
    case Op::kNeg:
      return -x;
    case Op::kAbs:
      return std::abs(x);
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kFloor:
      return std::floor(x);
    case Op::kCeil:
      return std::ceil(x);
    case Op::kTrunc:
      return std::trunc(x);
    case Op::kRound:
      return std::nearbyint(x);
    case Op::kExp:
      return std::exp(x);
    case Op::kExp2:
      return std::exp2(x);
    case Op::kExpm1:
      return std::expm1(x);
    case Op::kLog:
      return std::log(x);
    case Op::kLog2:
      return std::log2(x);
    case Op::kLog10:
      return std::log10(x);
    case Op::kLog1p:
      return std::log1p(x);
    case Op::kSin:
      return std::sin(x);
    case Op::kCos:
      return std::cos(x);
    case Op::kTan:
      return std::tan(x);
    case Op::kAsin:
      return std::asin(x);
    case Op::kAcos:
      return std::acos(x);
    case Op::kAtan:
      return std::atan(x);
    case Op::kSinh:
      return std::sinh(x);
    case Op::kCosh:
      return std::cosh(x);
    case Op::kTanh:
      return std::tanh(x);
    case Op::kAsinh:
      return std::asinh(x);
    case Op::kAcosh:
      return std::acosh(x);
    case Op::kAtanh:
      return std::atanh(x);
    case Op::kErf:
      return std::erf(x);
    case Op::kErfc:
      return std::erfc(x);
    case Op::kLgamma:
      return std::lgamma(x);
    case Op::kRoundToHalf:
      return static_cast<float>(c10::Half(static_cast<float>(x)));
    case Op::kRoundToBFloat16:
      return static_cast<float>(c10::BFloat16(static_cast<float>(x)));
    default:
      CULPRIT_CHECK(false, "{} of a float", Describe(op).name);
  }
  return 0;
}

double BinaryFloat(Op op, double a, double b, Type type) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kFmod:
      return std::fmod(a, b);
    case Op::kMin:
      return std::isnan(a) || std::isnan(b) ? Nan(a, b) : std::min(a, b);
    case Op::kMax:
      return std::isnan(a) || std::isnan(b) ? Nan(a, b) : std::max(a, b);
    case Op::kPow:
      return std::pow(a, b);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kHypot:
      return std::hypot(a, b);
    case Op::kCopysign:
      return std::copysign(a, b);
    case Op::kNextafter:
      return type == Type::Float ? std::nextafterf(static_cast<float>(a), static_cast<float>(b))
                                 : std::nextafter(a, b);
    default:
      CULPRIT_CHECK(false, "{} of floats", Describe(op).name);
  }
  return 0;
}

template <typename Number>
bool Compare(Op op, Number a, Number b) {
  switch (op) {
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLt:
      return a < b;
    case Op::kLe:
      return a <= b;
    case Op::kGt:
      return a > b;
    default:
      return a >= b;
  }
}

bool IsComparison(Op op) {
  return op >= Op::kEq && op <= Op::kGe;
}

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t BinaryInteger(Op op, int64_t a, int64_t b) {
  const auto u = static_cast<uint64_t>(a);
  const auto v = static_cast<uint64_t>(b);
  switch (op) {
    case Op::kAdd:
      return static_cast<int64_t>(u + v);
    case Op::kSub:
      return static_cast<int64_t>(u - v);
    case Op::kMul:
      return static_cast<int64_t>(u * v);
    case Op::kFloorDiv:
      return FloorDiv(a, b);
    case Op::kTruncDiv:
      return a / b;
    case Op::kRemainder:
      return a - FloorDiv(a, b) * b;
    case Op::kFmod:
      return a % b;
    case Op::kMin:
      return std::min(a, b);
    case Op::kMax:
      return std::max(a, b);
    case Op::kAnd:
      return a & b;
    case Op::kOr:
      return a | b;
    case Op::kXor:
      return a ^ b;
    case Op::kShiftLeft:
      return static_cast<int64_t>(u << b);
    case Op::kShiftRight:
      return a >> b;
    default:
      CULPRIT_CHECK(false, "{} of integers", Describe(op).name);
  }
  return 0;
}

LoopNumber Unary(Op op, LoopNumber x, Type type) {
  if (op == Op::kIsNan) return {std::isnan(x.number) ? 1 : 0, 0};
  if (IsFloat(type)) return {0, UnaryFloat(op, x.number)};
  if (op == Op::kNeg) return {BinaryInteger(Op::kSub, 0, x.integer), 0};
  if (op == Op::kAbs) return {x.integer < 0 ? BinaryInteger(Op::kSub, 0, x.integer) : x.integer, 0};
  CULPRIT_CHECK(op == Op::kNot, "{} of an integer", Describe(op).name);
  return {type == Type::Bool ? int64_t{x.integer == 0} : ~x.integer, 0};
}

LoopNumber Cast(LoopNumber x, Type from, Type to) {
  if (IsFloat(from)) {
    if (to == Type::Bool) return {x.number != 0 ? 1 : 0, 0};
    if (IsFloat(to)) return x;
    return {static_cast<int64_t>(x.number), 0};
  }
  return IsFloat(to) ? LoopNumber{0, static_cast<double>(x.integer)} : x;
}

}  // namespace

LoopNumber RoundedInto(LoopNumber number, Type type) {
  if (type == Type::Float) return {0, static_cast<float>(number.number)};
  if (type == Type::Double) return number;
  return {WrappedInto(number.integer, type), 0};
}

BodyEvaluator::BodyEvaluator(const Body& body, ExprId result, ReadElement read)
    : body_(body),
      result_(result),
      read_(std::move(read)),
      is_needed_(body.expressions().size()),
      numbers_(body.expressions().size()) {
  is_needed_[Index(result)] = true;
  for (size_t i = body.expressions().size(); i-- > 0;)
    if (is_needed_[i])
      for (const ExprId operand : body.expressions()[i].operands) is_needed_[Index(operand)] = true;
}

LoopNumber BodyEvaluator::Run(const std::vector<int64_t>& variables) {
  for (size_t i = 0; i < numbers_.size(); ++i) {
    if (!is_needed_[i]) continue;
    const Expression& expression = body_.expressions()[i];
    numbers_[i] = RoundedInto(Evaluate(expression, variables), expression.type);
  }
  return numbers_[Index(result_)];
}

LoopNumber BodyEvaluator::Load(const Expression& load) {
  size_t indices = load.operands.size();
  if (load.masked && Operand(load, --indices).integer == 0) return {};
  std::vector<int64_t> at;
  for (size_t i = 0; i < indices; ++i) at.push_back(Operand(load, i).integer);
  return read_(static_cast<uint32_t>(load.integer), at);
}

LoopNumber BodyEvaluator::Evaluate(const Expression& expression, const std::vector<int64_t>& variables) {
  switch (expression.op) {
    case Op::kConstant:
      return {expression.integer, expression.number};
    case Op::kSize:
      return {expression.integer, 0};
    case Op::kIndex:
      return {variables[static_cast<size_t>(expression.integer)], 0};
    case Op::kLoad:
      return Load(expression);
    case Op::kCast:
      return Cast(Operand(expression, 0), body_.type(expression.operands[0]), expression.type);
    case Op::kSelect:
      return Operand(expression, Operand(expression, 0).integer != 0 ? 1 : 2);
    default:
      break;
  }
  const Type type = body_.type(expression.operands[0]);
  const LoopNumber a = Operand(expression, 0);
  if (expression.operands.size() == 1) return Unary(expression.op, a, type);
  const LoopNumber b = Operand(expression, 1);
  if (IsComparison(expression.op)) {
    const bool holds = IsFloat(type) ? Compare(expression.op, a.number, b.number)
                                     : Compare(expression.op, a.integer, b.integer);
    return {holds ? 1 : 0, 0};
  }
  if (IsFloat(type)) return {0, BinaryFloat(expression.op, a.number, b.number, type)};
  return {BinaryInteger(expression.op, a.integer, b.integer), 0};
}

}  // namespace culprit::tests
