// SPDX-License-Identifier: Apache-2.0
//
// How far polynomials are off, over all Floats, and what they give where a formula easily goes wrong.
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;

struct Case {
  Op op;
  double (*truth)(double);
};

constexpr Case kCases[] = {
    {Op::kExp, std::exp},   {Op::kExp2, std::exp2},   {Op::kExpm1, std::expm1}, {Op::kLog, std::log},
    {Op::kLog2, std::log2}, {Op::kLog10, std::log10}, {Op::kLog1p, std::log1p}, {Op::kSin, std::sin},
    {Op::kCos, std::cos},   {Op::kTanh, std::tanh},   {Op::kErf, std::erf},
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// In units of the last place that a Float near the truth has.
double Error(float got, double truth) {
  const auto rounded = static_cast<float>(truth);
  if (std::isnan(truth) || std::isinf(rounded)) {
    const bool is_same = std::isnan(truth) ? std::isnan(got) : got == rounded;
    return is_same ? 0 : std::numeric_limits<double>::infinity();
  }
  const int exponent = std::max(std::ilogb(truth == 0 ? 1e-300 : truth), -126);
  return std::abs(got - truth) / std::ldexp(1.0, exponent - 23);
}

/// Every so many-th of all Floats, and those around 0, 1 and the ends of intervals.
at::Tensor Arguments(uint32_t stride) {
  std::vector<float> values;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32U); bits += stride)
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (const float middle : {0.0F, 1.0F, 0.625F, 0.927734375F, 65536.0F, 88.72284F, 103.97F, 87.33655F}) {
    for (int32_t i = -500; i <= 500; ++i) {
      const float near =
          std::bit_cast<float>(std::bit_cast<int32_t>(middle) + (middle == 0 ? std::abs(i) : i));
      values.push_back(near);
      values.push_back(-near);
    }
  }
  for (int32_t i = -20000; i <= 20000; ++i) values.push_back(static_cast<float>(i * M_PI_2));
  const at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
  return tensor;
}

at::Tensor Applied(Op op, const at::Tensor& x, const Options& options = {}) {
  return Computed(
      {x}, at::kFloat,
      [&](Body& body, const std::vector<ExprId>& operands) { return body.Apply(op, {operands[0]}); },
      options);
}

TEST(Polynomials, AreWithinTwoUlpOverAllFloats) {
  const char* stride = std::getenv("CULPRIT_TEST_VOLUME");
  const at::Tensor x = Arguments(stride == nullptr ? 8191 : 61);
  for (const Case& function : kCases) {
    const at::Tensor y = Applied(function.op, x);
    double worst = 0;
    float where = 0;
    for (int64_t i = 0; i < x.numel(); ++i) {
      const float argument = x.data_ptr<float>()[i];
      const double error = Error(y.data_ptr<float>()[i], function.truth(argument));
      if (error > worst) std::tie(worst, where) = std::pair(error, argument);
    }
    const std::string name(loops::Describe(function.op).name);
    printf("%-6s %.3f ulp at %a\n", name.c_str(), worst, where);
    EXPECT_LE(worst, 2) << name << " of " << where;
  }
}

TEST(Polynomials, ExpOfNegativeNumbersIsWithinTwoUlpOfTheirPowersWhereTheyAreNormal) {
  const at::Tensor x = -at::arange(0, 140, 1e-3, at::kFloat);
  const at::Tensor y = Applied(Op::kExpOfNegative, x);
  constexpr auto kLog2E = static_cast<float>(M_LOG2E);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double argument = x.data_ptr<float>()[i];
    const double truth = std::exp2(argument * kLog2E);
    const float got = y.data_ptr<float>()[i];
    if (truth >= std::numeric_limits<float>::min()) {
      EXPECT_LE(Error(got, truth), 2) << argument;
      // A Float is not all of log2 e.
      EXPECT_NEAR(got / std::exp(argument), 1, 2.4e-7 - 1.4e-8 * argument) << argument;
    } else {
      EXPECT_TRUE(got >= 0 && got <= std::numeric_limits<float>::min()) << argument;
    }
  }
}

TEST(Polynomials, ExpOfMinusInfinityIsNothing) {
  const at::Tensor x = at::empty({3});
  x.data_ptr<float>()[0] = -kInfinity;
  x.data_ptr<float>()[1] = std::bit_cast<float>(0x7FC12345U);
  x.data_ptr<float>()[2] = -0.0F;
  const at::Tensor y = Applied(Op::kExpOfNegative, x);
  EXPECT_EQ(std::bit_cast<uint32_t>(y.data_ptr<float>()[0]), 0U);
  EXPECT_TRUE(std::isnan(y.data_ptr<float>()[1]));
  EXPECT_EQ(y.data_ptr<float>()[2], 1);
}

TEST(Polynomials, ThePartBelowANumberIsNearAndEndsAtNoneAndAll) {
  const at::Tensor x = Arguments(8191);
  const at::Tensor y = Applied(Op::kNormalCdf, x);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float argument = x.data_ptr<float>()[i];
    const float got = y.data_ptr<float>()[i];
    if (std::isnan(argument)) {
      EXPECT_TRUE(std::isnan(got));
    } else if (std::abs(argument) > 5.5F) {
      EXPECT_EQ(got, argument < 0 ? 0 : 1) << argument;
    } else {
      EXPECT_NEAR(got, std::erfc(-argument * M_SQRT1_2) / 2, 2e-7) << argument;
    }
  }
}

TEST(Polynomials, AreRightAtTheEdges) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float denormal = std::numeric_limits<float>::denorm_min();
  const at::Tensor x = at::empty({18});
  const float values[] = {std::bit_cast<float>(0x7FC12345U),
                          0.0F,
                          -0.0F,
                          kInfinity,
                          -kInfinity,
                          nan,
                          denormal,
                          -denormal,
                          1e-40F,
                          -1e-40F,
                          88.73F,
                          -88.73F,
                          -104.F,
                          3e38F,
                          -3e38F,
                          -1.0F,
                          1.0F,
                          1e10F};
  std::copy(std::begin(values), std::end(values), x.data_ptr<float>());
  for (const Case& function : kCases) {
    const at::Tensor y = Applied(function.op, x);
    for (int64_t i = 0; i < x.numel(); ++i) {
      const auto truth = static_cast<float>(function.truth(values[i]));
      const float got = y.data_ptr<float>()[i];
      const std::string what = fmt::format("{} of {}", loops::Describe(function.op).name, values[i]);
      EXPECT_EQ(std::isnan(got), std::isnan(truth)) << what;
      if (std::isnan(truth)) continue;
      EXPECT_EQ(std::signbit(got), std::signbit(truth)) << what;
      EXPECT_LE(Error(got, truth), 2) << what << ": " << got;
    }
  }
}

// Arithmetic on denormal numbers takes processors a hundred times as long; they note that they did some.
TEST(Polynomials, ComputeWithNoDenormalNumbersNextTo0) {
  const at::Tensor x = at::empty({400});
  const at::Tensor y = at::empty({400});
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data_ptr<float>()[i] = static_cast<float>(std::pow(10, -36 + static_cast<double>(i) / 12));
  for (const Op op : {Op::kExp, Op::kTanh, Op::kErf, Op::kNormalCdf}) {
    const loops::Kernel kernel =
        Pointwise({at::kFloat}, at::kFloat, x.numel(),
                  [&](Body& body, const std::vector<ExprId>& of) { return body.Apply(op, of); });
    const loops::KernelEntry entry = Loaded(kernel);
    void* const buffers[] = {x.data_ptr(), y.data_ptr()};
    constexpr unsigned kDenormalOperand = 0x02;
    constexpr unsigned kUnderflow = 0x10;
    _mm_setcsr(_mm_getcsr() & ~(kDenormalOperand | kUnderflow));
    entry(buffers, nullptr, 0, kernel.Pieces());
    EXPECT_EQ(_mm_getcsr() & (kDenormalOperand | kUnderflow), 0U) << loops::Describe(op).name;
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
