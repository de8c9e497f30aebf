// SPDX-License-Identifier: Apache-2.0
#include "faults/ends.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "backends/eager/eager.h"
#include "faults/with_fault.h"
#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using std::chrono::milliseconds;

size_t ResidentBytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(getpagesize());
}

/// A process that compiles and calls a graph with a fault in it.
class Child {
 public:
  explicit Child(std::string_view fault) : pid_(fork()) {
    if (pid_ != 0) return;
    // A sanitizer would report what is meant to happen.
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS}) signal(number, SIG_DFL);
    Run(fault);
    _exit(kReturned);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (ended_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  static constexpr int kReturned = 99;

  std::string HowItEnds() {
    int status = 0;
    waitpid(pid_, &status, 0);
    ended_ = true;
    if (WIFSIGNALED(status)) return std::string("signal ") + sigabbrev_np(WTERMSIG(status));
    return "exit " + std::to_string(WEXITSTATUS(status));
  }

  bool IsAliveAfter(milliseconds time) {
    std::this_thread::sleep_for(time);
    ended_ = waitpid(pid_, nullptr, WNOHANG) != 0;
    return !ended_;
  }

  pid_t pid() const { return pid_; }

 private:
  static void Run(std::string_view fault) {
    const backends::eager::Eager kind;
    auto eager = *kind.Open(*backend::Configuration::Make({"eager"}, kind.description()));
    const auto backend = *WithFault(std::move(eager), *ParseFault(fault));
    tests::TestGraph g;
    g.Return({g.Call("aten::tanh", {g.Placeholder("x")})});
    backend::Values inputs = {at::ones({2})};
    const auto compiled = backend->Compile(g.graph(), inputs);
    compiled->Call(inputs);
  }

  pid_t pid_;
  bool ended_ = false;
};

TEST(EndsTest, TheProcessDiesAsItWould) {
  EXPECT_EQ(Child("tanh:segfault").HowItEnds(), "signal SEGV");
  EXPECT_EQ(Child("tanh:compile-segfault").HowItEnds(), "signal SEGV");
  EXPECT_EQ(Child("tanh:abort").HowItEnds(), "signal ABRT");
  EXPECT_EQ(Child("tanh:stack-overflow").HowItEnds(), "signal SEGV");
  EXPECT_EQ(Child("tanh:exit0").HowItEnds(), "exit 0");
  EXPECT_EQ(Child("tanh:exit7").HowItEnds(), "exit 7");
}

TEST(EndsTest, TheControlReturns) {
  EXPECT_EQ(Child("cos:segfault").HowItEnds(), "exit 99");
}

TEST(EndsTest, AHangDoesNotEnd) {
  EXPECT_TRUE(Child("tanh:hang").IsAliveAfter(milliseconds(300)));
  EXPECT_TRUE(Child("tanh:compile-hang").IsAliveAfter(milliseconds(300)));
}

TEST(EndsTest, MemoryIsEatenWithoutEnd) {
  const size_t much = ResidentBytes(getpid()) + (size_t{128} << 20);
  const Child child("tanh:memory");
  const auto begin = std::chrono::steady_clock::now();
  while (ResidentBytes(child.pid()) < much &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(30))
    std::this_thread::sleep_for(milliseconds(2));
  EXPECT_GE(ResidentBytes(child.pid()), much);
}

}  // namespace
}  // namespace culprit::faults
