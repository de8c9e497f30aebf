// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/scalar_math.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <limits>

#include "base/internal_error.h"
#include "compiler/loops/fold.h"

namespace culprit::compiler::loops {
namespace {

Scalar Number(double number) {
  return {.number = number};
}

Scalar Truth(bool truth) {
  return {.integer = static_cast<int64_t>(truth)};
}

template <typename Float>
Float UnaryFloat(Op op, Float x) {
  switch (op) {
    case Op::kNeg:
      return -x;
    case Op::kAbs:
      return std::fabs(x);
    case Op::kSqrt:
    case Op::kSqrtByMkl:
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
    case Op::kExpOfNegative:
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
    case Op::kNormalCdf:
      return std::erfc(-x * static_cast<Float>(M_SQRT1_2)) / 2;
    case Op::kLgamma:
      return std::lgamma(x);
    case Op::kRoundToHalf:
      return static_cast<float>(c10::Half(static_cast<float>(x)));
    case Op::kRoundToBFloat16:
      return static_cast<float>(c10::BFloat16(static_cast<float>(x)));
    case Op::kFence:
      return x;
    default:
      throw base::InternalError(__FILE_NAME__, __LINE__, std::string(Describe(op).name));
  }
}

template <typename Float>
Float BinaryFloat(Op op, Float a, Float b) {
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
      return std::isnan(a) || a < b ? a : b;
    case Op::kMax:
      return std::isnan(a) || a > b ? a : b;
    case Op::kPow:
      return std::pow(a, b);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kHypot:
      return std::hypot(a, b);
    case Op::kCopysign:
      return std::copysign(a, b);
    case Op::kNextafter:
      return std::nextafter(a, b);
    default:
      throw base::InternalError(__FILE_NAME__, __LINE__, std::string(Describe(op).name));
  }
}

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t UnaryInteger(Op op, int64_t x) {
  const auto bits = static_cast<uint64_t>(x);
  switch (op) {
    case Op::kNeg:
      return static_cast<int64_t>(-bits);
    case Op::kAbs:
      return x < 0 ? static_cast<int64_t>(-bits) : x;
    case Op::kNot:
      return ~x;
    default:
      throw base::InternalError(__FILE_NAME__, __LINE__, std::string(Describe(op).name));
  }
}

int64_t BinaryInteger(Op op, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a);
  const auto y = static_cast<uint64_t>(b);
  switch (op) {
    case Op::kAdd:
      return static_cast<int64_t>(x + y);
    case Op::kSub:
      return static_cast<int64_t>(x - y);
    case Op::kMul:
      return static_cast<int64_t>(x * y);
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
      return static_cast<int64_t>(x << y);
    case Op::kShiftRight:
      return a >> b;
    default:
      throw base::InternalError(__FILE_NAME__, __LINE__, std::string(Describe(op).name));
  }
}

template <typename Value>
bool Compared(Op op, Value a, Value b) {
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

Scalar OfFloats(Op op, Type type, const Scalar* operands, size_t count) {
  const double a = operands[0].number;
  if (op == Op::kIsNan) return Truth(std::isnan(a));
  if (IsComparison(op)) return Truth(Compared(op, a, operands[1].number));
  if (count == 1)
    return Number(type == Type::Float ? UnaryFloat(op, static_cast<float>(a)) : UnaryFloat(op, a));
  const double b = operands[1].number;
  return Number(type == Type::Float ? BinaryFloat(op, static_cast<float>(a), static_cast<float>(b))
                                    : BinaryFloat(op, a, b));
}

int64_t LargestOf(Type type) {
  if (type == Type::Byte) return std::numeric_limits<uint8_t>::max();
  return std::numeric_limits<int64_t>::max() >> (64 - 8 * c10::elementSize(type));
}

template <typename Value>
Value& At(void* memory, int64_t place) {
  return static_cast<Value*>(memory)[place];
}
template <typename Value>
Value At(const void* memory, int64_t place) {
  return static_cast<const Value*>(memory)[place];
}

}  // namespace

Scalar ApplyScalar(Op op, Type type, const Scalar* operands) {
  if (op == Op::kSelect) return operands[0].integer != 0 ? operands[1] : operands[2];
  const size_t count = Describe(op).operands;
  if (IsFloat(type)) return OfFloats(op, type, operands, count);
  const int64_t a = operands[0].integer;
  if (IsComparison(op)) return Truth(Compared(op, a, operands[1].integer));
  if (type == Type::Bool && op == Op::kNot) return Truth(a == 0);
  const int64_t result = count == 1 ? UnaryInteger(op, a) : BinaryInteger(op, a, operands[1].integer);
  return {.integer = WrappedInto(result, type)};
}

Scalar CastScalar(const Scalar& operand, Type from, Type to) {
  if (IsFloat(from) && IsFloat(to))
    return Number(to == Type::Float ? static_cast<float>(operand.number) : operand.number);
  if (IsFloat(from)) {
    if (to == Type::Bool) return Truth(operand.number != 0);
    // What the processor gives for numbers that no integer can be. C++ goes through int, and libtorch through
    // int64_t to uint8_t.
    const bool is_wide = to == Type::Long || to == Type::Byte;
    const double limit = is_wide ? 0x1p63 : 0x1p31;
    const double whole = std::trunc(operand.number);
    const int64_t smallest =
        is_wide ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
    const bool fits = whole >= -limit && whole < limit;
    return {.integer = WrappedInto(fits ? static_cast<int64_t>(whole) : smallest, to)};
  }
  if (!IsFloat(to)) return {.integer = WrappedInto(operand.integer, to)};
  return Number(to == Type::Float ? static_cast<float>(operand.integer)
                                  : static_cast<double>(operand.integer));
}

Scalar LoadScalar(const void* memory, at::ScalarType dtype, int64_t place) {
  switch (dtype) {
    case at::kBool:
      return Truth(At<uint8_t>(memory, place) != 0);
    case at::kByte:
      return {.integer = At<uint8_t>(memory, place)};
    case at::kChar:
      return {.integer = At<int8_t>(memory, place)};
    case at::kShort:
      return {.integer = At<int16_t>(memory, place)};
    case at::kInt:
      return {.integer = At<int32_t>(memory, place)};
    case at::kLong:
      return {.integer = At<int64_t>(memory, place)};
    case at::kHalf:
      return Number(static_cast<float>(At<c10::Half>(memory, place)));
    case at::kBFloat16:
      return Number(static_cast<float>(At<c10::BFloat16>(memory, place)));
    case at::kFloat:
      return Number(At<float>(memory, place));
    default:
      return Number(At<double>(memory, place));
  }
}

void StoreScalar(void* memory, at::ScalarType dtype, int64_t place, const Scalar& value) {
  switch (dtype) {
    case at::kBool:
    case at::kByte:
    case at::kChar:
      At<uint8_t>(memory, place) = static_cast<uint8_t>(value.integer);
      return;
    case at::kShort:
      At<int16_t>(memory, place) = static_cast<int16_t>(value.integer);
      return;
    case at::kInt:
      At<int32_t>(memory, place) = static_cast<int32_t>(value.integer);
      return;
    case at::kLong:
      At<int64_t>(memory, place) = value.integer;
      return;
    case at::kHalf:
      At<c10::Half>(memory, place) = static_cast<float>(value.number);
      return;
    case at::kBFloat16:
      At<c10::BFloat16>(memory, place) = static_cast<float>(value.number);
      return;
    case at::kFloat:
      At<float>(memory, place) = static_cast<float>(value.number);
      return;
    default:
      At<double>(memory, place) = value.number;
  }
}

Scalar IdentityOf(Combine combine, Type type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_float = IsFloat(type);
  switch (combine) {
    case Combine::kProduct:
      return {.number = 1, .integer = 1};
    case Combine::kAnd:
      return Truth(true);
    case Combine::kMin:
    case Combine::kArgMin:
      return is_float ? Number(kInfinity) : Scalar{.integer = LargestOf(type)};
    case Combine::kMax:
    case Combine::kMaxOfNumbers:
    case Combine::kArgMax:
    case Combine::kArgMaxLastNan:
      return is_float ? Number(-kInfinity) : Scalar{.integer = type == Type::Byte ? 0 : -LargestOf(type) - 1};
    default:
      return {};
  }
}

Scalar CombineScalars(Combine combine, Type type, const Scalar& a, const Scalar& b) {
  constexpr Op kOperations[] = {Op::kAdd, Op::kMul, Op::kMin, Op::kMax, Op::kMax, Op::kAnd, Op::kOr};
  const Scalar operands[] = {a, b};
  return ApplyScalar(kOperations[static_cast<size_t>(combine)], type, operands);
}

bool IsBetter(Combine combine, Type type, const Scalar& best, const Scalar& candidate) {
  if (!IsFloat(type))
    return combine == Combine::kArgMin ? candidate.integer < best.integer : candidate.integer > best.integer;
  if (std::isnan(best.number)) return combine == Combine::kArgMaxLastNan && std::isnan(candidate.number);
  if (std::isnan(candidate.number)) return true;
  return combine == Combine::kArgMin ? candidate.number < best.number : candidate.number > best.number;
}

}  // namespace culprit::compiler::loops
