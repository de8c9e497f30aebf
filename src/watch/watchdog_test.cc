// SPDX-License-Identifier: Apache-2.0
#include "watch/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "tests/lib/holds_in_fork.h"
#include "tests/lib/process_census.h"

namespace culprit::watch {
namespace {

using std::chrono::milliseconds;

/// Whether it comes to that within a minute.
bool ComesTo(const std::atomic<int>& count, int wanted) {
  for (int i = 0; i < 60000 && count < wanted; ++i) std::this_thread::sleep_for(milliseconds(1));
  return count >= wanted;
}

TEST(WatchdogTest, WhatLastsTooLongIsToldOnce) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  const Watchdog::Scope scope(watchdog, milliseconds(20), [&] { ++told; });
  EXPECT_TRUE(ComesTo(told, 1));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(told, 1);
}

TEST(WatchdogTest, WhatEndsInTimeIsNotTold) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  {
    const Watchdog::Scope scope(watchdog, milliseconds(500), [&] { ++told; });
  }
  std::this_thread::sleep_for(milliseconds(700));
  EXPECT_EQ(told, 0);
}

TEST(WatchdogTest, TheEndOfAScopeWaitsForWhoIsTold) {
  Watchdog watchdog;
  std::atomic<int> begun = 0;
  std::atomic<int> ended = 0;
  {
    const Watchdog::Scope scope(watchdog, milliseconds(1), [&] {
      ++begun;
      std::this_thread::sleep_for(milliseconds(50));
      ++ended;
    });
    EXPECT_TRUE(ComesTo(begun, 1));
  }
  EXPECT_EQ(ended, 1);
}

TEST(WatchdogTest, ALongLimitDoesNotDelayAShortOne) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  const Watchdog::Scope patient(watchdog, std::chrono::hours(1), [] {});
  const Watchdog::Scope impatient(watchdog, milliseconds(10), [&] { ++told; });
  EXPECT_TRUE(ComesTo(told, 1));
}

TEST(WatchdogTest, AllShareOneThreadWhichEndsWithThem) {
  const tests::Census before;
  {
    const auto first = Watchdog::Shared();
    const auto second = Watchdog::Shared();
    EXPECT_EQ(first, second);
  }
  EXPECT_EQ(tests::Census().threads, before.threads);
}

TEST(WatchdogTest, AForkedProcessCanDestroyItsOwn) {
  auto watchdog = std::make_unique<Watchdog>();
  // Its thread sleeps by then.
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_TRUE(tests::HoldsInFork([&] {
    watchdog.reset();
    return true;
  }));
}

TEST(WatchdogTest, AForkedProcessIsLookedAfterToo) {
  auto watchdog = std::make_unique<Watchdog>();
  EXPECT_TRUE(tests::HoldsInFork([&] {
    std::atomic<int> told = 0;
    {
      const Watchdog::Scope scope(*watchdog, milliseconds(20), [&] { ++told; });
      EXPECT_TRUE(ComesTo(told, 1));
    }
    watchdog.reset();
    return told == 1;
  }));
}

TEST(WatchdogTest, AForkedProcessDoesNotWaitForWhatItsParentDoes) {
  auto watchdog = std::make_unique<Watchdog>();
  std::atomic<int> told = 0;
  std::atomic<bool> is_over = false;
  std::optional<Watchdog::Scope> scope;
  scope.emplace(*watchdog, milliseconds(1), [&] {
    ++told;
    while (!is_over) std::this_thread::sleep_for(milliseconds(1));
  });
  EXPECT_TRUE(ComesTo(told, 1));
  EXPECT_TRUE(tests::HoldsInFork([&] {
    const Watchdog::Scope inner(*watchdog, std::chrono::hours(1), [] {});
    scope.reset();
    return true;
  }));
  is_over = true;
}

}  // namespace
}  // namespace culprit::watch
