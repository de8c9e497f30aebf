// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/forbidden_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>

#include "tests/lib/holds_in_fork.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

/// In a process that ends with it: whether these calls are denied while somebody watches, and none before.
bool AreDenied(const std::function<void()>& calls, const std::string& name) {
  return HoldsInFork([&] {
    if (!InstallCallFilter()) return false;
    const WatchedCalls watched;
    calls();
    return watched.denied() > 0 && watched.last() == name;
  });
}

TEST(ForbiddenCallsTest, WhatRunsCodeIsDenied) {
  EXPECT_TRUE(AreDenied([] { execl("/bin/true", "true", nullptr); }, "execve"));
  EXPECT_TRUE(
      AreDenied([] { mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); },
                "mmap of executable memory"));
  EXPECT_TRUE(AreDenied(
      [] {
        void* memory = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(memory, 4096, PROT_READ | PROT_EXEC);
      },
      "mprotect to executable memory"));
  // A library that no test links.
  EXPECT_TRUE(AreDenied([] { dlopen("libutil.so.1", RTLD_NOW); }, "mmap of executable memory"));
}

TEST(ForbiddenCallsTest, WhatChangesFilesIsDenied) {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  EXPECT_TRUE(AreDenied([&] { open(path.c_str(), O_WRONLY | O_CREAT, 0600); }, "openat for writing"));
  EXPECT_TRUE(AreDenied([&] { unlink(path.c_str()); }, "unlink"));
  EXPECT_TRUE(AreDenied([&] { rename(path.c_str(), "/tmp/x"); }, "rename"));
  EXPECT_EQ(NamesIn(folder.path()), std::set<std::string>{});
}

TEST(ForbiddenCallsTest, ReadingIsNotAndOutsideEverythingGoesThrough) {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  EXPECT_TRUE(HoldsInFork([&] {
    if (!InstallCallFilter()) return false;
    const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
    if (write(file, "x", 1) != 1) return false;
    const WatchedCalls watched;
    char letter = 0;
    return pread(file, &letter, 1, 0) == 1 && letter == 'x' && open(path.c_str(), O_RDONLY) >= 0 &&
           watched.denied() == 0 && watched.last() == "none";
  }));
}

}  // namespace
}  // namespace culprit::tests
