// SPDX-License-Identifier: Apache-2.0
//
// The operations of the loop language, on scalars. Types are libtorch's: Bool, Byte, Char, Short, Int, Long,
// Float, Double. Half and BFloat16 are types of memory only: a load gives Float, a store rounds to nearest
// even. The operands of an operation have one type, which is the result's, unless the table says otherwise.
#pragma once

#include <cstdint>
#include <string_view>

namespace culprit::compiler::loops {

enum class Op : uint8_t {
  // Leaves.
  kConstant,
  kSize,
  kIndex,
  kLoad,
  kRow,
  // One operand.
  kCast,
  kRoundToHalf,
  kRoundToBFloat16,
  kFence,
  kNeg,
  kAbs,
  kNot,
  kIsNan,
  kSqrt,
  kFloor,
  kCeil,
  kTrunc,
  kRound,
  kExp,
  kSqrtByMkl,
  kExp2,
  kExpOfNegative,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
  kErf,
  kErfc,
  kNormalCdf,
  kLgamma,
  // Two.
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kTruncDiv,
  kRemainder,
  kFmod,
  kMin,
  kMax,
  kPow,
  kAtan2,
  kHypot,
  kCopysign,
  kNextafter,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  // Three.
  kSelect,
};

/// What an operation is defined on.
enum class Domain : uint8_t { kAny, kFloats, kIntegers, kNumbers, kIntegersAndBool, kBool };

enum class Gives : uint8_t { kSame, kBool, kAsItSays };

struct OpDescription {
  Op op;
  std::string_view name;
  /// A load has one per dimension, and its mask.
  uint8_t operands = 0;
  Domain domain = Domain::kAny;
  Gives gives = Gives::kSame;
  std::string_view line;
};

/// In the order of Op.
inline constexpr OpDescription kOps[] = {
    {Op::kConstant, "constant", 0, Domain::kAny, Gives::kAsItSays, "a number"},
    {Op::kSize, "size", 0, Domain::kIntegers, Gives::kAsItSays, "a Long that other sizes would change"},
    {Op::kIndex, "index", 0, Domain::kIntegers, Gives::kAsItSays, "a loop variable, a Long"},
    {Op::kLoad, "load", 0, Domain::kAny, Gives::kAsItSays, "an element of memory; 0 where the mask is false"},
    {Op::kRow, "row", 0, Domain::kAny, Gives::kAsItSays, "what an earlier stage of the kernel has reduced"},
    {Op::kCast, "cast", 1, Domain::kAny, Gives::kAsItSays, "as C++ converts; to Bool: is not 0"},
    {Op::kRoundToHalf, "round_to_half", 1, Domain::kFloats, Gives::kSame, "to the nearest Half, as a Float"},
    {Op::kRoundToBFloat16, "round_to_bfloat16", 1, Domain::kFloats, Gives::kSame, "to the nearest BFloat16"},
    {Op::kFence, "fence", 1, Domain::kFloats, Gives::kSame,
     "the number; no instruction computes it and more"},
    {Op::kNeg, "neg", 1, Domain::kNumbers, Gives::kSame, "integers wrap around"},
    {Op::kAbs, "abs", 1, Domain::kNumbers, Gives::kSame, "integers wrap around"},
    {Op::kNot, "not", 1, Domain::kIntegersAndBool, Gives::kSame, "all bits; of a Bool its one"},
    {Op::kIsNan, "is_nan", 1, Domain::kFloats, Gives::kBool, ""},
    {Op::kSqrt, "sqrt", 1, Domain::kFloats, Gives::kSame, "rounded correctly"},
    {Op::kFloor, "floor", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kCeil, "ceil", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kTrunc, "trunc", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kRound, "round", 1, Domain::kFloats, Gives::kSame, "half to even"},
    {Op::kExp, "exp", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kSqrtByMkl, "sqrt_by_mkl", 1, Domain::kFloats, Gives::kSame,
     "as MKL rounds it, in libtorch's operator"},
    {Op::kExp2, "exp2", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kExpOfNegative, "exp_of_negative", 1, Domain::kFloats, Gives::kSame,
     "exp of what is not above 0; may be 0 where that is no normal number"},
    {Op::kExpm1, "expm1", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kLog, "log", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kLog2, "log2", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kLog10, "log10", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kLog1p, "log1p", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kSin, "sin", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kCos, "cos", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kTan, "tan", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAsin, "asin", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAcos, "acos", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAtan, "atan", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kSinh, "sinh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kCosh, "cosh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kTanh, "tanh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAsinh, "asinh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAcosh, "acosh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAtanh, "atanh", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kErf, "erf", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kErfc, "erfc", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kNormalCdf, "normal_cdf", 1, Domain::kFloats, Gives::kSame,
     "(1 + erf(x / sqrt(2))) / 2, within 2e-7"},
    {Op::kLgamma, "lgamma", 1, Domain::kFloats, Gives::kSame, ""},
    {Op::kAdd, "add", 2, Domain::kNumbers, Gives::kSame, "integers wrap around"},
    {Op::kSub, "sub", 2, Domain::kNumbers, Gives::kSame, "integers wrap around"},
    {Op::kMul, "mul", 2, Domain::kNumbers, Gives::kSame, "integers wrap around"},
    {Op::kDiv, "div", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kFloorDiv, "floor_div", 2, Domain::kIntegers, Gives::kSame, "the divisor is never 0 or -1"},
    {Op::kTruncDiv, "trunc_div", 2, Domain::kIntegers, Gives::kSame, "the divisor is never 0 or -1"},
    {Op::kRemainder, "remainder", 2, Domain::kIntegers, Gives::kSame, "of floor_div: has the divisor's sign"},
    {Op::kFmod, "fmod", 2, Domain::kNumbers, Gives::kSame, "C's: has the dividend's sign"},
    {Op::kMin, "min", 2, Domain::kNumbers, Gives::kSame, "NaN if one is"},
    {Op::kMax, "max", 2, Domain::kNumbers, Gives::kSame, "NaN if one is"},
    {Op::kPow, "pow", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kAtan2, "atan2", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kHypot, "hypot", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kCopysign, "copysign", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kNextafter, "nextafter", 2, Domain::kFloats, Gives::kSame, ""},
    {Op::kAnd, "and", 2, Domain::kIntegersAndBool, Gives::kSame, "bit by bit"},
    {Op::kOr, "or", 2, Domain::kIntegersAndBool, Gives::kSame, "bit by bit"},
    {Op::kXor, "xor", 2, Domain::kIntegersAndBool, Gives::kSame, "bit by bit"},
    {Op::kShiftLeft, "shift_left", 2, Domain::kIntegers, Gives::kSame, "by less than the type's bits"},
    {Op::kShiftRight, "shift_right", 2, Domain::kIntegers, Gives::kSame, "keeps the sign"},
    {Op::kEq, "eq", 2, Domain::kAny, Gives::kBool, ""},
    {Op::kNe, "ne", 2, Domain::kAny, Gives::kBool, "true if one is NaN"},
    {Op::kLt, "lt", 2, Domain::kNumbers, Gives::kBool, ""},
    {Op::kLe, "le", 2, Domain::kNumbers, Gives::kBool, ""},
    {Op::kGt, "gt", 2, Domain::kNumbers, Gives::kBool, ""},
    {Op::kGe, "ge", 2, Domain::kNumbers, Gives::kBool, ""},
    {Op::kSelect, "select", 3, Domain::kAny, Gives::kAsItSays, "the first is a Bool; then, else"},
};

constexpr const OpDescription& Describe(Op op) {
  return kOps[static_cast<size_t>(op)];
}

/// What becomes of the values that iterations compute: each is one of the result's, all along some variables
/// are combined, or each with those before it.
enum class LoopKind : uint8_t { kPointwise, kReduction, kScan };

/// How the values of a loop become one.
enum class Combine : uint8_t {
  kSum,
  kProduct,
  kMin,
  kMax,
  kMaxOfNumbers,
  kAnd,
  kOr,
  kArgMin,
  kArgMax,
  kArgMaxLastNan
};

struct CombineDescription {
  Combine combine;
  std::string_view name;
  std::string_view line;
};

/// In the order of Combine.
inline constexpr CombineDescription kCombines[] = {
    {Combine::kSum, "sum", "of numbers"},
    {Combine::kProduct, "product", "of numbers"},
    {Combine::kMin, "min", "of numbers; NaN if one is"},
    {Combine::kMax, "max", "of numbers; NaN if one is"},
    {Combine::kMaxOfNumbers, "max_of_numbers", "like max; anything if one is NaN"},
    {Combine::kAnd, "and", "of Bools"},
    {Combine::kOr, "or", "of Bools"},
    {Combine::kArgMin, "arg_min", "where the first of the smallest is, a Long; NaN is smaller than all"},
    {Combine::kArgMax, "arg_max", "where the first of the largest is, a Long; NaN is larger than all"},
    {Combine::kArgMaxLastNan, "arg_max_last_nan", "the same, but of NaNs where the last is"},
};

constexpr const CombineDescription& Describe(Combine combine) {
  return kCombines[static_cast<size_t>(combine)];
}

constexpr bool FindsPlace(Combine combine) {
  return combine == Combine::kArgMin || combine == Combine::kArgMax || combine == Combine::kArgMaxLastNan;
}

}  // namespace culprit::compiler::loops
