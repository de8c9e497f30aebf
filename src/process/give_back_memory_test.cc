// SPDX-License-Identifier: Apache-2.0
#include "process/give_back_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace culprit::process {
namespace {

constexpr size_t kMegabyte = 1 << 20;

size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<size_t>(getpagesize());
}

/// Freed, with something behind it that is not.
std::unique_ptr<char[]> MakeHole(size_t megabytes) {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t i = 0; i < megabytes; ++i) {
    blocks.push_back(std::make_unique<char[]>(kMegabyte));
    std::memset(blocks.back().get(), 1, kMegabyte);
  }
  return std::make_unique<char[]>(64);
}

TEST(GiveBackMemoryTest, GivesBackMuch) {
  mallopt(M_MMAP_THRESHOLD, 128 << 20);
  const std::unique_ptr<char[]> behind = MakeHole(400);
  const size_t before = ResidentBytes();
  GiveBackMemory();
  EXPECT_LT(ResidentBytes() + 300 * kMegabyte, before);
}

TEST(GiveBackMemoryTest, KeepsWhatIsLittle) {
  mallopt(M_MMAP_THRESHOLD, 128 << 20);
  malloc_trim(0);
  const std::unique_ptr<char[]> behind = MakeHole(50);
  const size_t before = ResidentBytes();
  GiveBackMemory();
  EXPECT_GT(ResidentBytes() + 10 * kMegabyte, before);
}

}  // namespace
}  // namespace culprit::process
