// SPDX-License-Identifier: Apache-2.0
#include "check/memory/tensor_meter.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <optional>

namespace culprit::check {
namespace {

constexpr int64_t kBytes = 1 << 20;

at::Tensor OfBytes(int64_t bytes) {
  return at::empty({bytes}, at::kByte);
}

int64_t AddressedPages() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  file >> pages;
  return pages;
}

TEST(TensorMeterTest, CountsWhatIsThereAtTheSameTime) {
  const TensorMeter meter;
  OfBytes(kBytes);
  OfBytes(3 * kBytes);
  EXPECT_EQ(meter.peak(), 3 * kBytes);
  const at::Tensor kept = OfBytes(2 * kBytes);
  const at::Tensor also = OfBytes(2 * kBytes);
  EXPECT_EQ(meter.peak(), 4 * kBytes);
  EXPECT_FALSE(meter.has_refused());
}

TEST(TensorMeterTest, WhatWasThereBeforeDoesNotCountWhenItGoes) {
  std::optional<at::Tensor> before;
  {
    const TensorMeter earlier;
    before = OfBytes(4 * kBytes);
  }
  const TensorMeter meter;
  before.reset();
  const at::Tensor now = OfBytes(kBytes);
  EXPECT_EQ(meter.peak(), kBytes);
}

TEST(TensorMeterTest, OperatorsCannotHaveMoreThanTheLimit) {
  const TensorMeter meter(4 * kBytes);
  const at::Tensor x = at::ones({3 * kBytes}, at::kByte);
  try {
    x.add(1);
    FAIL() << "there is no limit";
  } catch (const TensorLimitError& error) {
    EXPECT_STREQ(error.what(), "it takes more than 4.0 MiB of memory");
  }
  EXPECT_LT(meter.peak(), 3 * kBytes + 64) << "and the number that was to be added";
  EXPECT_TRUE(meter.has_refused());
  EXPECT_EQ(OfBytes(kBytes).numel(), kBytes) << "what is left can be had";
}

TEST(TensorMeterTest, WhatWasRefusedIsFree) {
  const TensorMeter meter(kBytes);
  const int64_t before = AddressedPages();
  for (int i = 0; i < 100; ++i) EXPECT_THROW(OfBytes(64 * kBytes), TensorLimitError);
  // Kept, they would be 6400 MiB. An arena of malloc, which another thread may open meanwhile, is 128.
  EXPECT_LT((AddressedPages() - before) * getpagesize(), 1000 * kBytes);
}

TEST(TensorMeterTest, WhoeverListensHearsOfAllButWhatIsRefused) {
  const TensorMeter outer;
  const at::Tensor before = OfBytes(kBytes);
  {
    const TensorMeter inner(4 * kBytes);
    OfBytes(2 * kBytes);
    EXPECT_THROW(OfBytes(8 * kBytes), TensorLimitError);
    EXPECT_EQ(inner.peak(), 2 * kBytes);
  }
  EXPECT_EQ(outer.peak(), 3 * kBytes);
}

}  // namespace
}  // namespace culprit::check
