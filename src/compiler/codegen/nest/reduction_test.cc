// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/reduction.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/all.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argmin.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::Combine;
using loops::ExprId;
using loops::Lanes;
using loops::Type;

const Formula kItself = [](Body&, const std::vector<ExprId>& of) { return of[0]; };

constexpr int64_t kRows = 23;

Tensor Reduced(const Tensor& x, at::ScalarType result, Combine combine, Lanes lanes, const Options& options,
               const Formula& formula = kItself) {
  const Tensor out = at::empty({lanes == Lanes::kInner ? x.size(0) : x.size(1)}, result);
  RunKernel(Reduction(x.scalar_type(), result, x.size(0), x.size(1), combine, lanes, formula), {x, out},
            options);
  return out;
}

/// Calls `check(options, lanes, dimension, columns)` for all of them.
void ForAll(const std::function<void(const Options&, Lanes, int64_t, int64_t)>& check) {
  for (const Options& options : {Options{}, Options{Math::kExact, Route::kLlvmO3}}) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      for (const int64_t columns : {1, 16, 33, 71, 300}) {
        SCOPED_TRACE(
            fmt::format("{} {} {}", TextOf(options), lanes == Lanes::kInner ? "inner" : "outer", columns));
        check(options, lanes, lanes == Lanes::kInner ? 1 : 0, columns);
      }
    }
  }
}

bool AreSame(const Tensor& a, const Tensor& b) {
  return ((a == b) | ((a != a) & (b != b))).all().item<bool>();
}

TEST(Reduction, OfFloatsIsThatOfLibtorch) {
  at::manual_seed(1);
  ForAll([](const Options& options, Lanes lanes, int64_t dimension, int64_t columns) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      Tensor x = at::randn({kRows, columns}, dtype);
      const auto reduced = [&](Combine combine) { return Reduced(x, dtype, combine, lanes, options); };
      EXPECT_TRUE(at::allclose(reduced(Combine::kSum), x.sum(dimension), 1e-5, 1e-5));
      EXPECT_TRUE(at::allclose(reduced(Combine::kProduct), x.prod(dimension), 1e-4, 1e-30));
      EXPECT_TRUE(reduced(Combine::kMin).equal(x.amin(dimension)));
      EXPECT_TRUE(reduced(Combine::kMax).equal(x.amax(dimension)));
      EXPECT_TRUE(reduced(Combine::kMaxOfNumbers).equal(x.amax(dimension)));
      x[3][columns / 2] = std::numeric_limits<double>::quiet_NaN();
      x[5][0] = std::numeric_limits<double>::infinity();
      x[6][0] = -std::numeric_limits<double>::infinity();
      x[kRows - 1].fill_(-std::numeric_limits<double>::infinity());
      EXPECT_TRUE(AreSame(reduced(Combine::kMin), x.amin(dimension)));
      EXPECT_TRUE(AreSame(reduced(Combine::kMax), x.amax(dimension)));
    }
  });
}

TEST(Reduction, OfIntegersIsThatOfLibtorch) {
  at::manual_seed(2);
  ForAll([](const Options& options, Lanes lanes, int64_t dimension, int64_t columns) {
    for (const at::ScalarType dtype : {at::kByte, at::kShort, at::kLong}) {
      const Tensor x = at::randint(dtype == at::kByte ? 0 : -100, 100, {kRows, columns}, dtype);
      const Formula wide = [](Body& body, const std::vector<ExprId>& of) {
        return body.type(of[0]) == Type::Long ? of[0] : body.Cast(of[0], Type::Long);
      };
      EXPECT_TRUE(Reduced(x, at::kLong, Combine::kSum, lanes, options, wide).equal(x.sum(dimension)));
      EXPECT_TRUE(Reduced(x, at::kLong, Combine::kProduct, lanes, options, wide).equal(x.prod(dimension)));
      EXPECT_TRUE(Reduced(x, dtype, Combine::kMin, lanes, options).equal(x.amin(dimension)));
      EXPECT_TRUE(Reduced(x, dtype, Combine::kMax, lanes, options).equal(x.amax(dimension)));
    }
  });
}

TEST(Reduction, OfBoolsIsLogic) {
  at::manual_seed(3);
  ForAll([](const Options& options, Lanes lanes, int64_t dimension, int64_t columns) {
    for (const int64_t often : {2, 400}) {
      const Tensor x = at::randint(0, often, {kRows, columns}, at::kLong).to(at::kBool);
      EXPECT_TRUE(Reduced(x, at::kBool, Combine::kAnd, lanes, options).equal(x.all(dimension)));
      EXPECT_TRUE(Reduced(x.logical_not(), at::kBool, Combine::kOr, lanes, options)
                      .equal(x.logical_not().any(dimension)));
    }
  });
}

TEST(Reduction, FindsTheLastNanIfThatIsWanted) {
  at::manual_seed(5);
  ForAll([](const Options& options, Lanes lanes, int64_t dimension, int64_t columns) {
    Tensor x = at::randint(0, 5, {kRows, columns}, at::kLong).to(at::kFloat);
    const auto found = [&] { return Reduced(x, at::kLong, Combine::kArgMaxLastNan, lanes, options); };
    EXPECT_TRUE(found().equal(x.argmax(dimension)));
    for (const int64_t column : {columns / 2, columns - 1})
      for (const int64_t row : {3, 7}) x[row][column] = std::numeric_limits<double>::quiet_NaN();
    const Tensor last = x.size(dimension) - 1 - x.flip({dimension}).argmax(dimension);
    EXPECT_TRUE(found().equal(at::where(x.isnan().any(dimension), last, x.argmax(dimension))));
  });
}

TEST(Reduction, FindsTheFirstOfEqualOnesAndNanBeforeAll) {
  at::manual_seed(4);
  ForAll([](const Options& options, Lanes lanes, int64_t dimension, int64_t columns) {
    for (const at::ScalarType dtype : {at::kFloat, at::kInt, at::kByte}) {
      Tensor x = at::randint(0, 5, {kRows, columns}, at::kLong).to(dtype);
      const auto check = [&] {
        const Tensor least = Reduced(x, at::kLong, Combine::kArgMin, lanes, options);
        const Tensor most = Reduced(x, at::kLong, Combine::kArgMax, lanes, options);
        EXPECT_TRUE(least.equal(x.argmin(dimension)));
        EXPECT_TRUE(most.equal(x.argmax(dimension)));
      };
      check();
      if (dtype != at::kFloat) continue;
      x[3][columns / 2] = std::numeric_limits<double>::quiet_NaN();
      x[7][columns - 1] = std::numeric_limits<double>::quiet_NaN();
      x[5].fill_(std::numeric_limits<double>::infinity());
      x[6].fill_(-std::numeric_limits<double>::infinity());
      check();
    }
  });
}

TEST(Reduction, OfNothingIsTheIdentity) {
  for (const Options& options : AllOptions()) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      const Tensor x = lanes == Lanes::kInner ? at::empty({kRows, 0}) : at::empty({0, kRows});
      EXPECT_TRUE(Reduced(x, at::kFloat, Combine::kSum, lanes, options).equal(at::full({kRows}, 0.0F)));
      EXPECT_TRUE(Reduced(x, at::kFloat, Combine::kProduct, lanes, options).equal(at::full({kRows}, 1.0F)));
    }
  }
}

TEST(Reduction, LongSumsKeepTheirPrecision) {
  const int64_t count = 3'000'001;
  for (const Options& options : AllOptions()) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      const Tensor x = lanes == Lanes::kInner ? at::full({1, count}, 0.1F) : at::full({count, 1}, 0.1F);
      const double sum = Reduced(x, at::kFloat, Combine::kSum, lanes, options).item<double>();
      const double truth = static_cast<double>(0.1F) * static_cast<double>(count);
      EXPECT_LT(std::abs(sum - truth) / truth, lanes == Lanes::kInner ? 2e-5 : 2e-4)
          << TextOf(options) << (lanes == Lanes::kInner ? " inner" : " outer");
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
