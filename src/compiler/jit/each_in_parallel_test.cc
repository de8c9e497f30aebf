// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/each_in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace culprit::compiler::jit {
namespace {

TEST(EachInParallelTest, EachIsDoneOnce) {
  std::vector<std::atomic<int>> done(100);
  EachInParallel(done.size(), [&](size_t index) { ++done[index]; });
  for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
}

TEST(EachInParallelTest, NothingToDoIsDone) {
  EachInParallel(0, [](size_t) { FAIL(); });
}

TEST(EachInParallelTest, SeveralAreDoneAtATime) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "there is one processor";
  std::atomic<int> begun = 0;
  EachInParallel(2, [&](size_t) {
    ++begun;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (begun < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(begun, 2);
  });
}

TEST(EachInParallelTest, TheFirstExceptionIsPassedOnAndNothingBeginsAfterIt) {
  std::atomic<int> begun = 0;
  const auto fail = [&](size_t) {
    ++begun;
    throw std::runtime_error("on purpose");
  };
  EXPECT_THROW(EachInParallel(100, fail), std::runtime_error);
  EXPECT_LE(begun, std::thread::hardware_concurrency());
}

}  // namespace
}  // namespace culprit::compiler::jit
