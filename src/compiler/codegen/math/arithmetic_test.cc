// SPDX-License-Identifier: Apache-2.0
//
// Operations on integers and Bools against C++, and conversions against libtorch.
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "compiler/loops/fold.h"
#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::ExprId;
using loops::Op;
using loops::Type;

constexpr int64_t kCount = 1003;
constexpr at::ScalarType kIntegers[] = {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong};

int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - static_cast<int64_t>(a % b != 0 && (a % b < 0) != (b < 0));
}

struct Reference {
  Op op;
  int64_t (*compute)(int64_t, int64_t);
};

const Reference kReferences[] = {
    {Op::kAdd, [](int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) + uint64_t(b)); }},
    {Op::kSub, [](int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) - uint64_t(b)); }},
    {Op::kMul, [](int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) * uint64_t(b)); }},
    {Op::kFloorDiv, FloorDiv},
    {Op::kTruncDiv, [](int64_t a, int64_t b) { return a / b; }},
    {Op::kRemainder, [](int64_t a, int64_t b) { return a - FloorDiv(a, b) * b; }},
    {Op::kFmod, [](int64_t a, int64_t b) { return a % b; }},
    {Op::kMin, [](int64_t a, int64_t b) { return std::min(a, b); }},
    {Op::kMax, [](int64_t a, int64_t b) { return std::max(a, b); }},
    {Op::kAnd, [](int64_t a, int64_t b) { return a & b; }},
    {Op::kOr, [](int64_t a, int64_t b) { return a | b; }},
    {Op::kXor, [](int64_t a, int64_t b) { return a ^ b; }},
    {Op::kShiftLeft, [](int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) << (b & 7)); }},
    {Op::kShiftRight, [](int64_t a, int64_t b) { return a >> (b & 7); }},
    {Op::kEq, [](int64_t a, int64_t b) { return int64_t{a == b}; }},
    {Op::kNe, [](int64_t a, int64_t b) { return int64_t{a != b}; }},
    {Op::kLt, [](int64_t a, int64_t b) { return int64_t{a < b}; }},
    {Op::kLe, [](int64_t a, int64_t b) { return int64_t{a <= b}; }},
    {Op::kGt, [](int64_t a, int64_t b) { return int64_t{a > b}; }},
    {Op::kGe, [](int64_t a, int64_t b) { return int64_t{a >= b}; }},
};

const Reference kUnaryReferences[] = {
    {Op::kNeg, [](int64_t a, int64_t) { return static_cast<int64_t>(-uint64_t(a)); }},
    {Op::kAbs, [](int64_t a, int64_t) { return a < 0 ? static_cast<int64_t>(-uint64_t(a)) : a; }},
    {Op::kNot, [](int64_t a, int64_t) { return ~a; }},
};

/// Small ones and those at the ends.
Tensor Integers(at::ScalarType dtype, uint64_t seed, bool are_divisors) {
  std::mt19937_64 random(seed);
  const Tensor tensor = at::empty({kCount}, at::kLong);
  for (int64_t i = 0; i < kCount; ++i) {
    const int64_t value =
        i % 3 == 0 ? static_cast<int64_t>(random()) : static_cast<int64_t>(random() % 23) - 11;
    const int64_t wrapped = loops::WrappedInto(value, dtype);
    const bool is_bad = are_divisors && (wrapped == 0 || wrapped == -1);
    tensor.data_ptr<int64_t>()[i] = is_bad ? 3 : wrapped;
  }
  return tensor.to(dtype);
}

TEST(Arithmetic, OnIntegersWrapsAroundLikeTheType) {
  for (const Options& options : {Options{}, Options{Math::kFast, Route::kLlvmO3}}) {
    for (const at::ScalarType dtype : kIntegers) {
      const Tensor a = Integers(dtype, 1, false);
      const Tensor b = Integers(dtype, 2, true);
      const auto check = [&](const Reference& reference, const Tensor& got) {
        const Tensor longs = got.to(at::kLong);
        const Tensor as = a.to(at::kLong);
        const Tensor bs = b.to(at::kLong);
        for (int64_t i = 0; i < kCount; ++i) {
          const int64_t left = as.data_ptr<int64_t>()[i];
          const int64_t right = bs.data_ptr<int64_t>()[i];
          const int64_t expected = loops::WrappedInto(reference.compute(left, right), got.scalar_type());
          ASSERT_EQ(longs.data_ptr<int64_t>()[i], expected)
              << loops::Describe(reference.op).name << " of " << loops::NameOf(dtype) << " " << left << " "
              << right << " " << TextOf(options);
        }
      };
      for (const Reference& reference : kReferences) {
        const bool compares = loops::Describe(reference.op).gives == loops::Gives::kBool;
        const bool shifts = reference.op == Op::kShiftLeft || reference.op == Op::kShiftRight;
        check(reference, Computed(
                             {a, b}, compares ? at::kBool : dtype,
                             [&](Body& body, const std::vector<ExprId>& of) {
                               const ExprId right =
                                   shifts ? body.Apply(Op::kAnd, {of[1], body.Constant(7, dtype)}) : of[1];
                               return body.Apply(reference.op, {of[0], right});
                             },
                             options));
      }
      for (const Reference& reference : kUnaryReferences)
        check(reference, Computed(
                             {a}, dtype,
                             [&](Body& body, const std::vector<ExprId>& of) {
                               return body.Apply(reference.op, {of[0]});
                             },
                             options));
    }
  }
}

TEST(Arithmetic, OnBoolsIsLogic) {
  const Tensor a = Integers(at::kInt, 1, false).remainder(2).to(at::kBool);
  const Tensor b = Integers(at::kInt, 2, false).remainder(3).to(at::kBool);
  const auto applied = [&](Op op) {
    return Computed({a, b}, at::kBool, [&](Body& body, const std::vector<ExprId>& of) {
      return body.Apply(op, {of[0], of[1]});
    });
  };
  EXPECT_TRUE(applied(Op::kAnd).equal(a & b));
  EXPECT_TRUE(applied(Op::kOr).equal(a | b));
  EXPECT_TRUE(applied(Op::kXor).equal(a ^ b));
  EXPECT_TRUE(applied(Op::kEq).equal(a == b));
  EXPECT_TRUE(applied(Op::kNe).equal(a != b));
}

/// Of floats: what integers are, what they just are not, and what none is.
Tensor Convertible(at::ScalarType dtype) {
  std::mt19937_64 random(7);
  const Tensor tensor = at::empty({kCount}, at::kDouble);
  const double specials[] = {0.0,
                             -0.0,
                             0.5,
                             -0.5,
                             0.99,
                             -0.99,
                             127,
                             128,
                             -128,
                             -129,
                             255,
                             256,
                             -1,
                             300.7,
                             32767,
                             32768,
                             65535,
                             65536,
                             -32769,
                             2147483647.0,
                             2147483648.0,
                             -2147483648.0,
                             -2147483648.5,
                             -2147483649.0,
                             4294967296.0,
                             9.2e18,
                             9.3e18,
                             -9.2e18,
                             -9.3e18,
                             1e30,
                             -1e30,
                             1e-40,
                             3.4e38,
                             1e300,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  for (int64_t i = 0; i < kCount; ++i) {
    const bool is_special = i < static_cast<int64_t>(2 * std::size(specials));
    tensor.data_ptr<double>()[i] =
        is_special ? specials[i % std::size(specials)] : static_cast<double>(random() % 40000) / 64 - 300;
  }
  return tensor.to(dtype);
}

bool AreSame(const Tensor& a, const Tensor& b) {
  if (!a.is_floating_point()) return a.equal(b);
  return (((a == b) | ((a != a) & (b != b)))).all().item<bool>();
}

TEST(Arithmetic, ConversionsAreThoseOfLibtorch) {
  const at::ScalarType all[] = {at::kBool, at::kByte,  at::kChar,   at::kShort, at::kInt,
                                at::kLong, at::kFloat, at::kDouble, at::kHalf,  at::kBFloat16};
  for (const Options& options : {Options{}, Options{Math::kExact, Route::kLlvmO3}}) {
    for (const at::ScalarType from : all) {
      const bool is_float = at::isFloatingType(from);
      const Tensor x = is_float            ? Convertible(from)
                       : from == at::kBool ? Integers(at::kInt, 3, false).remainder(2).to(at::kBool)
                                           : Integers(from, 3, false);
      for (const at::ScalarType to : all) {
        const Type type = to == at::kHalf || to == at::kBFloat16 ? Type::Float : to;
        // Two steps round twice where libtorch rounds once.
        if (type == Type::Float && to != at::kFloat && (from == at::kDouble || from == at::kLong)) continue;
        const Tensor got = Computed(
            {x}, to,
            [&](Body& body, const std::vector<ExprId>& of) {
              return body.type(of[0]) == type ? of[0] : body.Cast(of[0], type);
            },
            options);
        const Tensor expected = x.to(to);
        EXPECT_TRUE(AreSame(got, expected))
            << loops::NameOf(from) << " to " << loops::NameOf(to) << " " << TextOf(options);
        if (!AreSame(got, expected)) {
          for (int64_t i = 0; i < kCount; ++i) {
            const double a = got[i].item<double>();
            const double b = expected[i].item<double>();
            if (a != b && !(a != a && b != b)) {
              ADD_FAILURE() << x[i].item<double>() << ": " << a << " is not " << b;
              break;
            }
          }
        }
      }
    }
  }
}

TEST(Arithmetic, RoundsToTheNearestSmallFloat) {
  const Tensor x = Convertible(at::kFloat);
  const auto rounded = [&](Op op) {
    return Computed({x}, at::kFloat,
                    [&](Body& body, const std::vector<ExprId>& of) { return body.Apply(op, {of[0]}); });
  };
  EXPECT_TRUE(AreSame(rounded(Op::kRoundToHalf), x.to(at::kHalf).to(at::kFloat)));
  EXPECT_TRUE(AreSame(rounded(Op::kRoundToBFloat16), x.to(at::kBFloat16).to(at::kFloat)));
}

TEST(Arithmetic, ComparesFloatsAndSelects) {
  const Tensor a = Convertible(at::kFloat);
  const Tensor b = a.flip(0).contiguous();
  const auto compared = [&](Op op) {
    return Computed({a, b}, at::kBool, [&](Body& body, const std::vector<ExprId>& of) {
      return body.Apply(op, {of[0], of[1]});
    });
  };
  EXPECT_TRUE(compared(Op::kEq).equal(a == b));
  EXPECT_TRUE(compared(Op::kNe).equal(a != b));
  EXPECT_TRUE(compared(Op::kLt).equal(a < b));
  EXPECT_TRUE(compared(Op::kLe).equal(a <= b));
  EXPECT_TRUE(compared(Op::kGt).equal(a > b));
  EXPECT_TRUE(compared(Op::kGe).equal(a >= b));
  const Tensor selected = Computed({a, b}, at::kFloat, [](Body& body, const std::vector<ExprId>& of) {
    return body.Select(body.Apply(Op::kIsNan, {of[0]}), of[1], of[0]);
  });
  EXPECT_TRUE(AreSame(selected, at::where(a != a, b, a)));
}

}  // namespace
}  // namespace culprit::compiler::codegen
