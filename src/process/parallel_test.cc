// SPDX-License-Identifier: Apache-2.0
#include "process/parallel.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace culprit::process {
namespace {

/// Sets the number of threads for a test.
class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

TEST(ParallelForTest, VisitsEveryIndexOnce) {
  const Threads threads(2);
  std::vector<std::atomic<int>> visits(1003);
  ParallelFor(3, 1003, 7, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++visits[i];
  });
  for (size_t i = 0; i < visits.size(); ++i) EXPECT_EQ(visits[i], i < 3 ? 0 : 1) << i;
}

TEST(ParallelForTest, PiecesBeginAtMultiplesOfTheGrain) {
  const Threads threads(2);
  std::mutex mutex;
  std::set<std::pair<int64_t, int64_t>> pieces;
  ParallelFor(5, 30, 10, [&](int64_t begin, int64_t end) {
    const std::lock_guard lock(mutex);
    pieces.emplace(begin, end);
  });
  EXPECT_EQ(pieces, (std::set<std::pair<int64_t, int64_t>>{{5, 15}, {15, 25}, {25, 30}}));
}

TEST(ParallelForTest, AnEmptyRangeCallsNothing) {
  ParallelFor(4, 4, 1, [](int64_t, int64_t) { FAIL(); });
  ParallelFor(4, 3, 1, [](int64_t, int64_t) { FAIL(); });
}

// Each of the two pieces waits for the other one to begin, which only two threads can satisfy.
TEST(ParallelForTest, RunsOnSeveralThreads) {
  const Threads threads(2);
  std::atomic<int> begun = 0;
  ParallelFor(0, 2, 1, [&](int64_t, int64_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
}

TEST(ParallelForTest, OneThreadIsTheCaller) {
  const Threads threads(1);
  const std::thread::id caller = std::this_thread::get_id();
  ParallelFor(0, 100, 1, [&](int64_t, int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ParallelForTest, InsideAnotherLoopItIsSerial) {
  const Threads threads(2);
  std::atomic<int> visits = 0;
  ParallelFor(0, 4, 1, [&](int64_t, int64_t) {
    const std::thread::id caller = std::this_thread::get_id();
    ParallelFor(0, 10, 1, [&](int64_t, int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++visits;
    });
  });
  EXPECT_EQ(visits, 40);
}

TEST(ParallelForTest, PassesAnExceptionOn) {
  for (const int count : {1, 2}) {
    const Threads threads(count);
    EXPECT_THROW(ParallelFor(0, 1000, 1,
                             [](int64_t begin, int64_t) {
                               if (begin == 500) throw std::runtime_error("piece 500");
                             }),
                 std::runtime_error);
  }
}

TEST(ParallelForTest, NoPieceBeginsAfterAnException) {
  const Threads threads(1);
  int64_t last = -1;
  const auto work = [&](int64_t begin, int64_t) {
    last = begin;
    if (begin == 10) throw std::runtime_error("piece 10");
  };
  EXPECT_THROW(ParallelFor(0, 1000, 1, work), std::runtime_error);
  EXPECT_EQ(last, 10);
}

TEST(ParallelForTest, ThereIsOneOpenMpRuntime) {
  ParallelFor(0, 2, 1, [](int64_t, int64_t) {});
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> runtimes;
  for (std::string line; std::getline(maps, line);) {
    const std::string file = line.substr(line.rfind('/') + 1);
    if (file.starts_with("libgomp") || file.starts_with("libomp") || file.starts_with("libiomp"))
      runtimes.insert(line.substr(line.find('/')));
  }
  EXPECT_EQ(runtimes.size(), 1) << ::testing::PrintToString(runtimes);
}

}  // namespace
}  // namespace culprit::process
