// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/thread_stacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>

#include "isolate/stacks/stack_signal.h"
#include "tests/lib/process_census.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A thread that does something until it is told to stop.
class Busy {
 public:
  using Work = std::function<void(const std::atomic<bool>& stop)>;

  explicit Busy(
      Work work, void (*wake)() = [] {})
      : wake_(wake), thread_([this, work = std::move(work)] {
          pthread_setname_np(pthread_self(), "busy");
          id_ = gettid();
          started_.count_down();
          work(stop_);
        }) {
    started_.wait();
  }
  ~Busy() {
    stop_ = true;
    wake_();
    thread_.join();
  }
  pid_t id() const { return id_; }
  pthread_t handle() { return thread_.native_handle(); }

 private:
  std::atomic<bool> stop_ = false;
  std::latch started_{1};
  pid_t id_ = 0;
  void (*wake_)();
  std::thread thread_;
};

// Not inlined: they are looked for by name.
std::atomic<int> turns = 0;

[[gnu::noinline]] void SpinHere(const std::atomic<bool>& stop) {
  while (!stop) ++turns;
}
std::mutex mutex;
std::condition_variable condition;

[[gnu::noinline]] void WaitHere(const std::atomic<bool>& stop) {
  std::unique_lock lock(mutex);
  condition.wait(lock, [&] { return stop.load(); });
}
void WakeWaiting() {
  const std::lock_guard lock(mutex);
  condition.notify_all();
}
[[gnu::noinline]] void SleepHere(const std::atomic<bool>& stop) {
  const timespec time = {.tv_sec = 0, .tv_nsec = 50'000'000};
  while (!stop) nanosleep(&time, nullptr);
}
void BlockSignalsAndSleep(const std::atomic<bool>& stop) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  SleepHere(stop);
}

const ThreadStack& StackOf(pid_t thread, const std::vector<ThreadStack>& stacks) {
  static const ThreadStack none;
  const auto found =
      std::find_if(stacks.begin(), stacks.end(), [&](const auto& s) { return s.id == thread; });
  return found == stacks.end() ? none : *found;
}
std::vector<std::string> FunctionsOf(const ThreadStack& stack) {
  std::vector<std::string> functions;
  for (const StackFrame& frame : stack.frames) functions.push_back(frame.symbol);
  return functions;
}
/// Its functions, once it has come to what it is to do.
std::vector<std::string> FunctionsOf(const Busy& thread, const std::string& awaited) {
  std::vector<std::string> functions;
  for (int i = 0; i < 100; ++i) {
    functions = FunctionsOf(StackOf(thread.id(), StacksOfAllThreads()));
    if (testing::Value(functions, Contains(HasSubstr(awaited)))) break;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return functions;
}

TEST(ThreadStacksTest, AThreadThatComputesIsFoundWhereItIs) {
  const Busy thread(SpinHere);
  const std::vector<std::string> functions = FunctionsOf(thread, "SpinHere");
  EXPECT_THAT(functions, Contains(HasSubstr("SpinHere(std::atomic<bool> const&)")));
  EXPECT_THAT(functions, Contains(HasSubstr("Busy::")));
}

TEST(ThreadStacksTest, AThreadThatWaitsForAConditionIsFoundAndWaitsOn) {
  const Busy thread(WaitHere, WakeWaiting);
  const std::vector<std::string> functions = FunctionsOf(thread, "pthread_cond_wait");
  EXPECT_THAT(functions, Contains(HasSubstr("WaitHere")));
  EXPECT_THAT(functions, Contains(HasSubstr("pthread_cond_wait")));
}

TEST(ThreadStacksTest, AThreadThatSleepsIsFound) {
  const Busy thread(SleepHere);
  const std::vector<std::string> functions = FunctionsOf(thread, "nanosleep");
  EXPECT_THAT(functions, Contains(HasSubstr("SleepHere")));
  EXPECT_THAT(functions, Contains(HasSubstr("nanosleep")));
}

// As one that hangs in the constructor of a library.
TEST(ThreadStacksTest, AThreadMayHangWithTheLockOfTheLoader) {
  const Busy thread([](const std::atomic<bool>& stop) {
    const auto hang = [](dl_phdr_info*, size_t, void* data) {
      SpinHere(*static_cast<const std::atomic<bool>*>(data));
      return 1;
    };
    dl_iterate_phdr(hang, const_cast<std::atomic<bool>*>(&stop));
  });
  EXPECT_THAT(FunctionsOf(thread, "SpinHere"), Contains(HasSubstr("dl_iterate_phdr")));
}

TEST(ThreadStacksTest, TheThreadThatAsksIsNotAmongThem) {
  const Busy thread(SleepHere);
  const std::vector<ThreadStack> stacks = StacksOfAllThreads();
  EXPECT_EQ(StackOf(gettid(), stacks).id, 0);
  EXPECT_EQ(StackOf(thread.id(), stacks).name, "busy");
}

TEST(ThreadStacksTest, AThreadThatBlocksSignalsIsNamedAndNotWaitedForLonger) {
  const Busy thread(BlockSignalsAndSleep);
  const auto missing = [&] { return StackOf(thread.id(), StacksOfAllThreads(milliseconds(0))).missing; };
  while (missing().find("blocks") == std::string::npos) std::this_thread::yield();
  const auto before = std::chrono::steady_clock::now();
  const std::vector<ThreadStack> stacks = StacksOfAllThreads(milliseconds(150));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(3));
  EXPECT_EQ(StackOf(thread.id(), stacks).missing, "did not answer within 150 ms (it blocks signals)");
  EXPECT_THAT(StackOf(thread.id(), stacks).frames, IsEmpty());
}

TEST(ThreadStacksTest, AThreadThatWaitsForSignalsGetsNoneFromUs) {
  static std::atomic<int> received = 0;
  received = 0;
  Busy thread([](const std::atomic<bool>&) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    int signal_number = 0;
    sigwait(&all, &signal_number);
    received = signal_number;
  });
  std::string missing;
  for (int i = 0; i < 100 && missing.find("waits") == std::string::npos; ++i)
    missing = StackOf(thread.id(), StacksOfAllThreads(milliseconds(20))).missing;
  EXPECT_EQ(missing, "did not answer within 20 ms (it waits for signals)");
  EXPECT_EQ(received, 0);
  pthread_kill(thread.handle(), SIGUSR1);
  while (received == 0) std::this_thread::yield();
  EXPECT_EQ(received, SIGUSR1);
}

TEST(ThreadStacksTest, ManyThreadsAnswerTogether) {
  std::vector<std::unique_ptr<Busy>> threads;
  for (int i = 0; i < 64; ++i) threads.push_back(std::make_unique<Busy>(i % 8 == 0 ? SpinHere : SleepHere));
  const std::vector<ThreadStack> stacks = StacksOfAllThreads(std::chrono::seconds(10));
  for (const auto& thread : threads) {
    EXPECT_EQ(StackOf(thread->id(), stacks).missing, "");
    EXPECT_GE(StackOf(thread->id(), stacks).frames.size(), 3u);
  }
}

// Somebody blocked it just after we looked.
TEST(ThreadStacksTest, ASignalThatArrivesMuchLaterIsHarmless) {
  StacksOfAllThreads();
  const int stack_signal = TakeStackSignal().value();
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, stack_signal);
  std::thread thread([&] {
    pthread_sigmask(SIG_BLOCK, &only, nullptr);
    ASSERT_EQ(pthread_kill(pthread_self(), stack_signal), 0);
    sigset_t pending;
    sigpending(&pending);
    ASSERT_TRUE(sigismember(&pending, stack_signal));
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    sigpending(&pending);
    EXPECT_FALSE(sigismember(&pending, stack_signal));
  });
  thread.join();
}

volatile sig_atomic_t own_signals = 0;
void OnOwnSignal(int) {
  own_signals = own_signals + 1;
}

TEST(ThreadStacksTest, HandlersOfTheProgramStay) {
  own_signals = 0;
  const int first = TakeStackSignal().value();
  struct sigaction own = {};
  own.sa_handler = OnOwnSignal;
  struct sigaction ours = {};
  // The program wants the very signal that was taken.
  ASSERT_EQ(sigaction(first, &own, &ours), 0);
  const Busy thread(SpinHere);
  EXPECT_THAT(FunctionsOf(thread, "SpinHere"), Contains(HasSubstr("SpinHere")));
  EXPECT_NE(TakeStackSignal(), first);
  EXPECT_EQ(own_signals, 0);
  raise(first);
  EXPECT_EQ(own_signals, 1);
  sigaction(first, &ours, nullptr);
}

TEST(ThreadStacksTest, SystemCallsThatCanBeRestartedAre) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  std::atomic<ssize_t> bytes_read = -2;
  {
    const Busy thread([&](const std::atomic<bool>&) {
      char byte = 0;
      bytes_read = read(pipe_ends[0], &byte, 1);
    });
    EXPECT_THAT(FunctionsOf(thread, "read"), Contains(HasSubstr("read")));
    EXPECT_EQ(write(pipe_ends[1], "x", 1), 1);
  }
  EXPECT_EQ(bytes_read, 1);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(ThreadStacksTest, ThreadsThatComeAndGoAreNoTrouble) {
  const Busy churn([](const std::atomic<bool>& stop) {
    while (!stop) std::thread([] { ++turns; }).join();
  });
  for (int i = 0; i < 100; ++i) {
    for (const ThreadStack& stack : StacksOfAllThreads()) EXPECT_EQ(stack.missing, "") << stack.name;
  }
}

TEST(ThreadStacksTest, SeveralThreadsMayAskAtOnce) {
  const Busy thread(SpinHere);
  FunctionsOf(thread, "SpinHere");
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] {
      for (int k = 0; k < 10; ++k)
        EXPECT_THAT(FunctionsOf(StackOf(thread.id(), StacksOfAllThreads())), Contains(HasSubstr("SpinHere")));
    });
  }
  for (std::thread& asker : askers) asker.join();
}

TEST(ThreadStacksTest, NothingIsLeftBehind) {
  const Busy spinning(SpinHere);
  const Busy sleeping(SleepHere);
  StacksOfAllThreads();
  const size_t descriptors = tests::EntriesIn("/proc/self/fd");
  const size_t threads = tests::EntriesIn("/proc/self/task");
  for (int i = 0; i < 200; ++i) {
    for (const ThreadStack& stack : StacksOfAllThreads()) ASSERT_EQ(stack.missing, "");
  }
  EXPECT_EQ(tests::EntriesIn("/proc/self/fd"), descriptors);
  EXPECT_EQ(tests::EntriesIn("/proc/self/task"), threads);
}

TEST(ThreadStacksTest, TextIsAsOfADebugger) {
  const std::vector<ThreadStack> stacks = {
      {7, "worker", {{"/lib/libc.so.6", 1, "nanosleep"}, {"/opt/libmine.so", 0x1234, ""}, {"", 0x7f00, ""}}},
      {8, "deaf", {}, "did not answer within 1000 ms (it blocks signals)"}};
  EXPECT_EQ(ToText(stacks),
            "thread 7 \"worker\"\n"
            "  #0  nanosleep\n"
            "  #1  libmine.so+0x1234\n"
            "  #2  0x7f00\n"
            "thread 8 \"deaf\"\n"
            "  did not answer within 1000 ms (it blocks signals)\n");
}

}  // namespace
}  // namespace culprit::isolate
