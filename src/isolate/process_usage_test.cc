// SPDX-License-Identifier: Apache-2.0
#include "isolate/process_usage.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;

TEST(ProcessUsage, CountsMemoryThatIsTouched) {
  constexpr uint64_t kBytes = 50 << 20;
  const uint64_t before = *MemoryOf(getpid());
  const std::vector<char> block(kBytes, 'x');
  EXPECT_GE(*MemoryOf(getpid()), before + kBytes * 9 / 10) << block.back();
}

TEST(ProcessUsage, CountsCpuTime) {
  const auto before = *CpuTimeOf(getpid());
  usleep(50'000);
  EXPECT_LT(*CpuTimeOf(getpid()) - before, milliseconds(40));
  volatile int spins = 0;
  while (*CpuTimeOf(getpid()) - before < milliseconds(50)) spins = spins + 1;
  EXPECT_GT(spins, 0);
}

TEST(ProcessUsage, KnowsNothingOfAProcessThatIsGone) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  EXPECT_FALSE(MemoryOf(pid));
  EXPECT_FALSE(CpuTimeOf(pid));
}

}  // namespace
}  // namespace culprit::isolate
