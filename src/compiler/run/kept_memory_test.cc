// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/kept_memory.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/Allocator.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace culprit::compiler::run {
namespace {

constexpr int64_t kMany = 1 << 20;

at::Tensor Many() {
  return EmptyInKeptMemory({kMany}, {1}, at::kFloat);
}

TEST(KeptMemoryTest, ATensorIsAsLibtorchsOwn) {
  const at::Tensor tensor = EmptyInKeptMemory({512, 3, 64}, {256, 0, 2}, at::kDouble);
  EXPECT_EQ(tensor.sizes(), (c10::IntArrayRef{512, 3, 64}));
  EXPECT_EQ(tensor.strides(), (c10::IntArrayRef{256, 0, 2}));
  EXPECT_EQ(tensor.scalar_type(), at::kDouble);
  const at::Tensor same = at::empty_strided({512, 3, 64}, {256, 0, 2}, at::kDouble);
  EXPECT_EQ(tensor.storage().nbytes(), same.storage().nbytes());
  EXPECT_EQ(tensor.key_set(), same.key_set());
  EXPECT_EQ(tensor.storage().allocator(), same.storage().allocator());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 64, 0U);
}

TEST(KeptMemoryTest, SoIsOneOfInferenceMode) {
  const c10::InferenceMode mode;
  EXPECT_TRUE(Many().is_inference());
  EXPECT_EQ(Many().key_set(), at::empty({kMany}).key_set());
}

TEST(KeptMemoryTest, ATensorCanGrow) {
  at::Tensor tensor = Many();
  tensor.copy_(at::arange(kMany));
  tensor.resize_({2 * kMany});
  EXPECT_EQ(tensor[kMany - 1].item<float>(), kMany - 1);
}

TEST(KeptMemoryTest, TheNextOfTheSameSizeLiesWhereTheLastOneDid) {
  constexpr int kTurns = 20;
  constexpr int kFirstTurns = 5;
  std::vector<std::unique_ptr<char[]>> small;
  small.reserve(10'000);
  std::set<const void*> places;
  for (int turn = 0; turn < kTurns; ++turn) {
    const at::Tensor tensor = Many();
    if (turn >= kFirstTurns) places.insert(tensor.data_ptr());
    // Somebody takes whatever small blocks there are, those that malloc has cut off too.
    for (size_t bytes = 16; bytes <= 128; bytes += 16)
      for (int count = 0; count < 8; ++count) small.push_back(std::make_unique<char[]>(bytes));
  }
  EXPECT_EQ(places.size(), 1U);
}

class Reported : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*memory*/, int64_t bytes, size_t /*all*/, size_t /*reserved*/,
                         c10::Device /*device*/) override {
    changes.push_back(bytes);
  }
  bool memoryProfilingEnabled() const override { return true; }

  std::vector<int64_t> changes;
};

TEST(KeptMemoryTest, AProfilerHearsOfIt) {
  const auto reported = std::make_shared<Reported>();
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, reported);
  Many();
  EXPECT_THAT(reported->changes, testing::ElementsAre(4 * kMany, -4 * kMany));
}

TEST(KeptMemoryTest, WhatDoesNotFitIsRefusedInLibtorchsWords) {
  const int64_t huge = int64_t{1} << 50;
  try {
    EmptyInKeptMemory({huge}, {1}, at::kFloat);
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("allocate memory"));
  }
}

}  // namespace
}  // namespace culprit::compiler::run
