// SPDX-License-Identifier: Apache-2.0
#include "isolate/watch_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstring>
#include <iostream>
#include <new>
#include <thread>

#include "isolate/zygote.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint64_t kMegabyte = 1 << 20;

[[noreturn]] void Spin() {
  volatile int spins = 0;
  while (true) spins = spins + 1;
}

/// Of the system's: malloc may have free pages that the child was forked with.
void TouchMegabytes(size_t count, milliseconds kept = milliseconds(50)) {
  const size_t bytes = count * kMegabyte;
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(block, 'x', bytes);
  // Long enough to be seen.
  std::this_thread::sleep_for(kept);
  munmap(block, bytes);
}

constexpr Task kTasks[] = {
    {"hang in phase",
     [](const Message& request) -> Message {
       AnnouncePhase(request.bytes);
       while (true) pause();
     }},
    {"ignore all signals",
     [](const Message&) -> Message {
       for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
       while (true) pause();
     }},
    {"spin", [](const Message&) -> Message { Spin(); }},
    {"eat memory",
     [](const Message&) -> Message {
       while (true) std::memset(new char[kMegabyte], 1, kMegabyte);
     }},
    {"touch", [](const Message& request) { return TouchMegabytes(std::stoul(request.bytes)), Message{}; }},
    {"touch twice as much later",
     [](const Message& request) {
       const size_t megabytes = std::stoul(request.bytes);
       TouchMegabytes(megabytes, milliseconds(300));
       AnnounceYardstick(milliseconds(1));
       TouchMegabytes(2 * megabytes, milliseconds(300));
       return Message{};
     }},
    {"sleep five times as long later",
     [](const Message& request) {
       const milliseconds some(std::stoi(request.bytes));
       std::this_thread::sleep_for(some);
       AnnounceYardstick(some);
       std::this_thread::sleep_for(5 * some);
       return Message{};
     }},
    {"claim an hour and hang",
     [](const Message&) -> Message {
       AnnounceYardstick(std::chrono::hours(1));
       while (true) pause();
     }},
    {"sum attachments",
     [](const Message& request) {
       unsigned sum = 0;
       for (const auto& memory : request.attachments) {
         for (size_t i = 0; i < memory->size(); i += 4096)
           sum += std::to_integer<unsigned>(memory->data()[i]);
       }
       usleep(50'000);
       return Message{std::to_string(sum)};
     }},
    {"throw bad_alloc", [](const Message&) -> Message { throw std::bad_alloc(); }},
    {"flood",
     [](const Message& request) {
       std::cout << "begin" << std::string(std::stoul(request.bytes), '.') << "end";
       return Message{};
     }},
    {"flood forever",
     [](const Message&) -> Message {
       while (true) std::cout << "more and more\n";
     }},
    {"crash in crash",
     [](const Message&) -> Message {
       // The alarm that ends a handler that hangs does not come.
       signal(SIGALRM, SIG_IGN);
       OwnBlackBox()->crash.signal.store(SIGSEGV);
       while (true) pause();
     }},
};

class WatchQueryTest : public testing::Test {
 protected:
  Outcome Run(std::string_view task, const std::string& request, const Limits& limits) {
    return *zygote_->RunFresh(task, {request}, limits);
  }

  const std::shared_ptr<const Zygote> zygote_ = *Zygote::Start(kTasks);
};

TEST_F(WatchQueryTest, EndsAHangAndNamesItsPhase) {
  const Outcome outcome = Run("hang in phase", "call 2", {.wall_time = milliseconds(500)});
  EXPECT_EQ(outcome.ToString(), "in call 2: took more than 0.5 s of wall time");
  EXPECT_GE(outcome.wall_time, milliseconds(500));
  EXPECT_LT(outcome.wall_time, seconds(5));
}

TEST_F(WatchQueryTest, EndsWhatIgnoresSignals) {
  const Outcome outcome = Run("ignore all signals", "", {.wall_time = milliseconds(100)});
  EXPECT_EQ(outcome.ToString(), "took more than 0.1 s of wall time");
}

TEST_F(WatchQueryTest, EndsWhatUsesUpItsCpuTime) {
  const Outcome outcome = Run("spin", "", {.wall_time = seconds(30), .cpu_time = milliseconds(100)});
  EXPECT_EQ(outcome.ToString(), "took more than 0.1 s of CPU time");
}

TEST_F(WatchQueryTest, WaitingTakesNoCpuTime) {
  const Outcome outcome =
      Run("hang in phase", "", {.wall_time = milliseconds(300), .cpu_time = milliseconds(100)});
  EXPECT_EQ(outcome.ToString(), "took more than 0.3 s of wall time");
}

TEST_F(WatchQueryTest, EndsWhatUsesUpItsMemory) {
  const Outcome outcome = Run("eat memory", "", {.memory_bytes = 200 * kMegabyte});
  const MemoryLimit* memory = std::get_if<MemoryLimit>(&outcome.ending);
  ASSERT_NE(memory, nullptr) << outcome.ToString();
  EXPECT_EQ(memory->limit, 200 * kMegabyte);
  EXPECT_GT(memory->used, 200 * kMegabyte);
  EXPECT_LT(memory->used, 2000 * kMegabyte);
}

TEST_F(WatchQueryTest, AllowsMemoryBelowTheLimit) {
  EXPECT_TRUE(Run("touch", "150", {.memory_bytes = 200 * kMegabyte}).ok());
  EXPECT_FALSE(Run("touch", "250", {.memory_bytes = 200 * kMegabyte}).ok());
}

TEST_F(WatchQueryTest, TimeGrowsWithTheYardstickIfItMay) {
  const std::string task = "sleep five times as long later";
  EXPECT_EQ(Run(task, "100", {.wall_time = milliseconds(300)}).ToString(),
            "took more than 0.3 s of wall time");
  const Outcome grown = Run(task, "100", {.wall_time = milliseconds(300), .growth = {.time = 10}});
  EXPECT_TRUE(grown.ok()) << grown.ToString();
  const Outcome too_little = Run(task, "200", {.wall_time = milliseconds(300), .growth = {.time = 3}});
  EXPECT_FALSE(too_little.ok());
  EXPECT_GT(std::get<Timeout>(too_little.ending).limit, milliseconds(790));
}

TEST_F(WatchQueryTest, AYardstickMakesNoLimitSmaller) {
  const Outcome outcome = Run("sleep five times as long later", "20",
                              {.wall_time = seconds(30), .memory_bytes = kMegabyte << 10, .growth = {1, 1}});
  EXPECT_TRUE(outcome.ok()) << outcome.ToString();
}

TEST_F(WatchQueryTest, AYardstickIsNoLongerThanTheQueryWas) {
  const Outcome outcome =
      Run("claim an hour and hang", "", {.wall_time = milliseconds(500), .growth = {.time = 10}});
  EXPECT_FALSE(outcome.ok());
  EXPECT_LT(outcome.wall_time, seconds(20));
}

TEST_F(WatchQueryTest, MemoryGrowsWithTheYardstickAsFarAsItMay) {
  const std::string task = "touch twice as much later";
  const uint64_t limit = 150 * kMegabyte;
  EXPECT_FALSE(Run(task, "100", {.memory_bytes = limit}).ok());
  EXPECT_TRUE(Run(task, "100", {.memory_bytes = limit, .growth = {.memory = 3}}).ok());
  const Growth bounded{.memory = 3, .most_memory_bytes = 160 * kMegabyte};
  const Outcome outcome = Run(task, "100", {.memory_bytes = limit, .growth = bounded});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(std::get<MemoryLimit>(outcome.ending).limit, 160 * kMegabyte);
}

TEST_F(WatchQueryTest, DoesNotCountAttachmentsOfTheRequest) {
  const auto memory = *SharedMemory::Make(100 * kMegabyte);
  std::memset(memory->data(), 1, memory->size());
  const auto outcome =
      *zygote_->RunFresh("sum attachments", {"", {memory}}, {.memory_bytes = 50 * kMegabyte});
  ASSERT_TRUE(outcome.ok()) << outcome.ToString();
  EXPECT_EQ(std::get<Returned>(outcome.ending).message.bytes, "25600");
}

TEST_F(WatchQueryTest, DoesNotTakeAnExceptionForTheLimit) {
  EXPECT_EQ(Run("throw bad_alloc", "", {}).ToString(), "std::bad_alloc: std::bad_alloc");
}

TEST_F(WatchQueryTest, KeepsTheBeginningAndTheEndOfLongOutput) {
  const Outcome outcome = Run("flood", "1000000", {.output_bytes = 20});
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.output, "begin.....\n[999988 bytes left out]\n.......end");
  EXPECT_EQ(outcome.output_bytes, 1'000'008u);
}

TEST_F(WatchQueryTest, EndsAFlood) {
  const Outcome outcome = Run("flood forever", "", {.wall_time = seconds(1), .output_bytes = 1000});
  EXPECT_EQ(outcome.ToString(), "took more than 1 s of wall time");
  EXPECT_LT(outcome.output.size(), 1100u);
  EXPECT_GT(outcome.output_bytes, 100'000u);
}

TEST_F(WatchQueryTest, TakesAHandlerThatHangsForTheCrash) {
  EXPECT_THAT(Run("crash in crash", "", {.wall_time = seconds(1)}).ToString(),
              testing::StartsWith("SIGSEGV"));
}

}  // namespace
}  // namespace culprit::isolate
