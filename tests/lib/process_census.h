// SPDX-License-Identifier: Apache-2.0
//
// What a process has and what it leaves behind: to compare before and after.
#pragma once

#include <fmt/format.h>
#include <malloc.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace culprit::tests {

inline std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), gone)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

/// Children, their children and so on.
inline std::vector<pid_t> DescendantsOf(pid_t pid) {
  std::vector<pid_t> all = ChildrenOf(pid);
  for (size_t i = 0; i < all.size(); ++i) {
    for (const pid_t child : ChildrenOf(all[i])) all.push_back(child);
  }
  return all;
}

inline size_t EntriesIn(const std::string& folder) {
  std::error_code missing;
  const std::filesystem::directory_iterator entries(folder, missing);
  return missing ? 0 : std::distance(begin(entries), end(entries));
}

inline int64_t ResidentPages() {
  std::ifstream statm("/proc/self/statm");
  int64_t all = 0;
  int64_t resident = 0;
  statm >> all >> resident;
  return resident;
}

inline size_t MappedRanges() {
  std::ifstream maps("/proc/self/maps");
  size_t ranges = 0;
  for (std::string line; std::getline(maps, line);) ++ranges;
  return ranges;
}

/// What was taken from the allocator and not given back.
inline size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Census {
  size_t descendants = DescendantsOf(getpid()).size();
  size_t descriptors = EntriesIn("/proc/self/fd");
  size_t threads = EntriesIn("/proc/self/task");
  size_t shared_memory = EntriesIn("/dev/shm");
  size_t temporary_files = EntriesIn(std::filesystem::temp_directory_path());
  /// Of all descendants.
  size_t their_descriptors = 0;

  Census() {
    for (const pid_t pid : DescendantsOf(getpid()))
      their_descriptors += EntriesIn(fmt::format("/proc/{}/fd", pid));
  }
  bool operator==(const Census&) const = default;

  std::string ToString() const {
    return fmt::format(
        "{} descendants with {} descriptors; {} descriptors, {} threads, {} in /dev/shm, {} temporary",
        descendants, their_descriptors, descriptors, threads, shared_memory, temporary_files);
  }
  /// How gtest shows it.
  friend void PrintTo(const Census& census, std::ostream* out) { *out << census.ToString(); }
};

/// What the kernel and a zygote still have to take back from the child that died last is not counted: the
/// same is seen for a while.
inline Census SettledCensus() {
  Census census;
  for (int unchanged = 0; unchanged < 20;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const Census next;
    unchanged = next == census ? unchanged + 1 : 0;
    census = next;
  }
  return census;
}

}  // namespace culprit::tests
