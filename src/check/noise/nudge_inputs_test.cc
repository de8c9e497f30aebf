// SPDX-License-Identifier: Apache-2.0
#include "check/noise/nudge_inputs.h"

#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/nextafter.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/lib/values.h"

namespace culprit::check {
namespace {

at::Tensor Nudged(const at::Tensor& tensor) {
  return NudgeInputs({tensor})[0].toTensor();
}

TEST(NudgeInputsTest, EveryNumberMovesByOneUnitInTheLastPlace) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    const at::Tensor tensor = at::linspace(-8, 8, 1000).to(dtype);
    const at::Tensor nudged = Nudged(tensor);
    const at::Tensor up = at::nextafter(tensor, at::full({}, INFINITY, dtype));
    const at::Tensor down = at::nextafter(tensor, at::full({}, -INFINITY, dtype));
    EXPECT_TRUE(nudged.eq(up).logical_xor(nudged.eq(down)).all().item<bool>()) << dtype;
    EXPECT_GT(nudged.eq(up).sum().item<int64_t>(), 300) << dtype;
    EXPECT_GT(nudged.eq(down).sum().item<int64_t>(), 300) << dtype;
  }
}

TEST(NudgeInputsTest, HalvesAndComplexNumbersMoveToo) {
  const at::Tensor half = at::ones({100}, at::kHalf);
  EXPECT_EQ(Nudged(half).sub(half).abs().max().item<double>(), std::ldexp(1.0, -10));
  EXPECT_EQ(Nudged(half).eq(half).sum().item<int64_t>(), 0);
  const at::Tensor complex = at::complex(at::ones({100}), at::zeros({100}));
  EXPECT_EQ(Nudged(complex).eq(complex).sum().item<int64_t>(), 0);
}

TEST(NudgeInputsTest, WhatMeansSomethingStays) {
  for (const double value : {0.0, -0.0, static_cast<double>(INFINITY)}) {
    const at::Tensor tensor = at::full({20}, value, at::kFloat);
    EXPECT_TRUE(Nudged(tensor).equal(tensor)) << value;
  }
  EXPECT_TRUE(Nudged(at::full({20}, NAN, at::kFloat)).isnan().all().item<bool>());
  const at::Tensor integers = at::ones({20}, at::kLong);
  EXPECT_TRUE(Nudged(integers).equal(integers));
  EXPECT_EQ(NudgeInputs({3})[0].toInt(), 3);
}

TEST(NudgeInputsTest, TheLargestNumberDoesNotBecomeInfinite) {
  const at::Tensor largest = at::full({20}, std::numeric_limits<float>::max(), at::kFloat);
  EXPECT_TRUE(Nudged(largest).isfinite().all().item<bool>());
}

TEST(NudgeInputsTest, SharedElementsMoveOnceAndTheOriginalsNotAtAll) {
  const at::Tensor base = at::ones({20});
  const auto nudged = NudgeInputs({base, base.reshape({4, 5}).t(), tests::Tuple({base})});
  const at::Tensor moved = nudged[0].toTensor();
  EXPECT_LE(moved.sub(base).abs().max().item<double>(), std::ldexp(1.0, -23));
  EXPECT_TRUE(nudged[1].toTensor().is_alias_of(moved));
  EXPECT_TRUE(base.equal(at::ones({20})));
}

TEST(NudgeInputsTest, MemoryOfSeveralDtypesStays) {
  const at::Tensor floats = at::ones({4});
  EXPECT_TRUE(NudgeInputs({floats, floats.view(at::kInt)})[0].toTensor().equal(floats));
}

}  // namespace
}  // namespace culprit::check
