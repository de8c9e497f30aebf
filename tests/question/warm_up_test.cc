// SPDX-License-Identifier: Apache-2.0
#include "check/query/warm_up.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace culprit::tests {
namespace {

size_t Threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

// In a fork: other tests of this program start threads.
TEST(WarmUpTest, NoThreadIsLeftSoThatChildrenCanUseOpenMP) {
  const pid_t child = fork();
  if (child == 0) {
    const size_t before = Threads();
    check::WarmUp();
    _exit(Threads() == before ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace culprit::tests
