// SPDX-License-Identifier: Apache-2.0
//
// A witness inside the process for the promise that a file from a stranger runs no code and writes nowhere. A
// filter of the kernel (seccomp) sees every system call; those that would load a library, start a program,
// map executable memory or change a file are denied and counted while a WatchedCalls lives.
#pragma once

#include <cstddef>
#include <string>

namespace culprit::tests {

/// For all threads and the rest of the process. False if the kernel has no such filters.
bool InstallCallFilter();

/// One at a time. Outside its life every call goes through.
class WatchedCalls {
 public:
  WatchedCalls();
  ~WatchedCalls();
  WatchedCalls(const WatchedCalls&) = delete;
  WatchedCalls& operator=(const WatchedCalls&) = delete;

  /// How many calls were denied so far, and the name of the last.
  size_t denied() const;
  std::string last() const;
};

}  // namespace culprit::tests
