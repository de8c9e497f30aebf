// SPDX-License-Identifier: Apache-2.0
//
// Every operation on Floats and Doubles against libtorch: exact mathematics gives its very bits, the fast one
// is near.
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/add.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cosh.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/hypot.h>
#include <ATen/ops/isclose.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log10.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log2.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/nextafter.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sinh.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tan.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <span>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::ExprId;
using loops::Op;

struct Unary {
  Op op;
  Tensor (*function)(const Tensor&);
};

// libtorch's own operator is MKL's, which is not.
Tensor RootRoundedCorrectly(const Tensor& x) {
  const Tensor roots = x.clone();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "RootRoundedCorrectly", [&] {
    std::span<scalar_t> numbers(roots.data_ptr<scalar_t>(), roots.numel());
    for (scalar_t& number : numbers) number = std::sqrt(number);
  });
  return roots;
}

const Unary kUnary[] = {
    {Op::kNeg, at::neg},        {Op::kAbs, at::abs},     {Op::kSqrt, RootRoundedCorrectly},
    {Op::kSqrtByMkl, at::sqrt}, {Op::kFloor, at::floor}, {Op::kCeil, at::ceil},
    {Op::kTrunc, at::trunc},    {Op::kRound, at::round}, {Op::kExp, at::exp},
    {Op::kExp2, at::exp2},      {Op::kExpm1, at::expm1}, {Op::kLog, at::log},
    {Op::kLog2, at::log2},      {Op::kLog10, at::log10}, {Op::kLog1p, at::log1p},
    {Op::kSin, at::sin},        {Op::kCos, at::cos},     {Op::kTan, at::tan},
    {Op::kAsin, at::asin},      {Op::kAcos, at::acos},   {Op::kAtan, at::atan},
    {Op::kSinh, at::sinh},      {Op::kCosh, at::cosh},   {Op::kTanh, at::tanh},
    {Op::kAsinh, at::asinh},    {Op::kAcosh, at::acosh}, {Op::kAtanh, at::atanh},
    {Op::kErf, at::erf},        {Op::kErfc, at::erfc},   {Op::kLgamma, at::lgamma},
};

struct Binary {
  Op op;
  Tensor (*function)(const Tensor&, const Tensor&);
};

const Binary kBinary[] = {
    {Op::kAdd, [](const Tensor& a, const Tensor& b) { return at::add(a, b); }},
    {Op::kSub, [](const Tensor& a, const Tensor& b) { return at::sub(a, b); }},
    {Op::kMul, at::mul},
    {Op::kDiv, at::div},
    {Op::kFmod, at::fmod},
    {Op::kMin, at::minimum},
    {Op::kMax, at::maximum},
    {Op::kPow, at::pow},
    {Op::kAtan2, at::atan2},
    {Op::kHypot, at::hypot},
    {Op::kCopysign, at::copysign},
    {Op::kNextafter, at::nextafter},
};

/// A multiple of every number of lanes: behind the last vector libtorch calls other functions.
constexpr int64_t kCount = 16384;

/// Of all sizes, with what is special among them.
Tensor Values(at::ScalarType dtype, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const Tensor tensor = at::empty({kCount}, at::kDouble);
  const double specials[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(),
                             1e-40,
                             -1e-40,
                             1e30,
                             2.5,
                             -2.5};
  for (int64_t i = 0; i < kCount; ++i) {
    const double scale = std::exp2(normal(random) * 2);
    tensor.data_ptr<double>()[i] =
        i % 16 == 0 ? specials[random() % std::size(specials)] : normal(random) * scale;
  }
  return tensor.to(dtype);
}

/// The same numbers, bit by bit; a NaN is any NaN.
int64_t Different(const Tensor& a, const Tensor& b) {
  const at::ScalarType bits = a.scalar_type() == at::kFloat ? at::kInt : at::kLong;
  const Tensor same = (a.view(bits) == b.view(bits)) | ((a != a) & (b != b));
  return kCount - same.sum().item<int64_t>();
}

Tensor AppliedUnary(Op op, const Tensor& x, const Options& options) {
  return Computed(
      {x}, x.scalar_type(),
      [&](Body& body, const std::vector<ExprId>& of) { return body.Apply(op, {of[0]}); }, options);
}

Tensor AppliedBinary(Op op, const Tensor& x, const Tensor& y, const Options& options) {
  return Computed(
      {x, y}, x.scalar_type(),
      [&](Body& body, const std::vector<ExprId>& of) {
        return body.Apply(op, {of[0], of[1]});
      },
      options);
}

std::string Name(Op op, const Tensor& x, const Options& options) {
  return fmt::format("{} of {} {}", loops::Describe(op).name, loops::NameOf(x.scalar_type()),
                     TextOf(options));
}

// libtorch's fmod, SLEEF's, is wrong where the quotient is large.
Tensor LeftOf(const Binary& binary, const Tensor& x, const Tensor& y) {
  return binary.op == Op::kFmod ? at::where(x.abs() < y.abs() * 1000, x, y) : x;
}

TEST(Functions, ExactOnesGiveTheBitsOfLibtorch) {
  for (const Route route : {Route::kVectors, Route::kLlvmO3}) {
    const Options options{Math::kExact, route};
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      const Tensor x = Values(dtype, 1);
      const Tensor y = Values(dtype, 2);
      for (const Unary& unary : kUnary)
        EXPECT_EQ(Different(AppliedUnary(unary.op, x, options), unary.function(x)), 0)
            << Name(unary.op, x, options);
      for (const Binary& binary : kBinary) {
        const Tensor left = LeftOf(binary, x, y);
        EXPECT_EQ(Different(AppliedBinary(binary.op, left, y, options), binary.function(left, y)), 0)
            << Name(binary.op, x, options);
      }
    }
  }
}

TEST(Functions, FastOnesAreNear) {
  for (const Route route : {Route::kVectors, Route::kLlvmO3}) {
    const Options options{Math::kFast, route};
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      const Tensor x = Values(dtype, 3);
      const Tensor y = Values(dtype, 4);
      const double relative = dtype == at::kFloat ? 4e-7 : 1e-15;
      const auto is_near = [&](const Tensor& a, const Tensor& b, Op op) {
        // Near the zeros of lgamma the C library and SLEEF have few digits in common.
        const double absolute = op == Op::kLgamma ? 1e-6 : std::numeric_limits<float>::denorm_min();
        return at::allclose(a, b, relative, absolute, /*equal_nan=*/true);
      };
      for (const Unary& unary : kUnary)
        EXPECT_TRUE(is_near(AppliedUnary(unary.op, x, options), unary.function(x), unary.op))
            << Name(unary.op, x, options);
      for (const Binary& binary : kBinary) {
        const Tensor left = LeftOf(binary, x, y);
        EXPECT_TRUE(is_near(AppliedBinary(binary.op, left, y, options), binary.function(left, y), binary.op))
            << Name(binary.op, x, options);
      }
    }
  }
}

TEST(Functions, UniformOperandsGiveTheSameAsLanes) {
  const Tensor x = at::empty({1});
  x.data_ptr<float>()[0] = 0.7F;
  for (const Options& options : AllOptions()) {
    for (const Unary& unary : kUnary) {
      loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, kCount, [&](Body& body, const auto&) {
        const ExprId first = body.Load(0, loops::Type::Float, {body.Constant(0, loops::Type::Long)});
        return body.Apply(unary.op, {first});
      });
      const Tensor out = at::empty({kCount});
      RunKernel(kernel, {x, out}, options);
      const Tensor expected = unary.function(x).expand({kCount});
      EXPECT_TRUE(at::allclose(out, expected, 4e-7, 0, true)) << Name(unary.op, x, options);
    }
  }
}

TEST(Functions, ProductsAndSumsAreContractedOnlyIfFast) {
  const Tensor x = Values(at::kFloat, 5);
  const Tensor y = Values(at::kFloat, 6);
  const Formula formula = [](Body& body, const std::vector<ExprId>& of) {
    return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {of[0], of[1]}), of[0]});
  };
  const Tensor expected = x * y + x;
  EXPECT_EQ(Different(Computed({x, y}, at::kFloat, formula, {Math::kExact}), expected), 0);
  EXPECT_EQ(Different(Computed({x, y}, at::kFloat, formula, {Math::kExact, Route::kLlvmO3}), expected), 0);
  if (Host().has_fma) {
    EXPECT_GT(Different(Computed({x, y}, at::kFloat, formula, {Math::kFast}), expected), 0);
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
