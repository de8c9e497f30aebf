// SPDX-License-Identifier: Apache-2.0
#include "watch/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/lib/process_census.h"

namespace culprit::watch {
namespace {

using std::chrono::milliseconds;

void WaitUntil(const std::atomic<int>& count, int wanted) {
  while (count < wanted) std::this_thread::sleep_for(milliseconds(1));
}

TEST(WatchdogTest, WhatLastsTooLongIsToldOnce) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  const Watchdog::Scope scope(watchdog, milliseconds(20), [&] { ++told; });
  WaitUntil(told, 1);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(told, 1);
}

TEST(WatchdogTest, WhatEndsInTimeIsNotTold) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  {
    const Watchdog::Scope scope(watchdog, std::chrono::hours(1), [&] { ++told; });
  }
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
    WaitUntil(begun, 1);
  }
  EXPECT_EQ(ended, 1);
}

TEST(WatchdogTest, ALongLimitDoesNotDelayAShortOne) {
  Watchdog watchdog;
  std::atomic<int> told = 0;
  const Watchdog::Scope patient(watchdog, std::chrono::hours(1), [] {});
  const Watchdog::Scope impatient(watchdog, milliseconds(10), [&] { ++told; });
  WaitUntil(told, 1);
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

}  // namespace
}  // namespace culprit::watch
