// SPDX-License-Identifier: Apache-2.0
//
// What the kernel says about the threads of this process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace culprit::isolate {

struct ThreadStatus {
  std::string name;
  /// As in `ps`: 'R' runs, 'S' sleeps, 'D' sleeps and hears no signals, 'T' is stopped ...
  char state = '?';
  /// Bit n - 1 is signal n.
  uint64_t blocked_signals = 0;
  /// It is in sigwait or one of its sisters. The signals that it waits for do not count as blocked, but they
  /// are given to it and not to a handler.
  bool waits_for_signals = false;

  bool Blocks(int signal_number) const { return ((blocked_signals >> (signal_number - 1)) & 1) != 0; }
};

/// In the order in which they were started. The one that calls is among them.
std::vector<pid_t> ThreadsOfThisProcess();

/// Nothing if it has ended. So has a main thread that the others have outlived.
std::optional<ThreadStatus> StatusOfThread(pid_t id);

}  // namespace culprit::isolate
