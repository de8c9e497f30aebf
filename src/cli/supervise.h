// SPDX-License-Identifier: Apache-2.0
//
// Long work that deals with a file of a stranger runs in a process of its own, a fork of this one, which
// waits for it: whatever happens there, somebody is left to say where the results are and how to go on.
//
//   Ctrl-C        the worker is asked to stop, and killed if it does not within a few seconds; its results
//                 are on disk either way. SIGTERM and SIGHUP mean the same
//   a crash       is reported, with what is on disk
//   this process  is killed: the worker goes too
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace culprit::cli {

enum class WhenInterrupted : uint8_t {
  /// The worker is asked to stop (IsInterrupted), since it has something to bring to an end.
  kAsks,
  kKills,
};

/// `work` gives an exit code. Fork first, compute later: this process must not have run anything in parallel.
int RunSupervised(const std::function<int()>& work, WhenInterrupted interruption = WhenInterrupted::kAsks);

/// In the worker: whether the user wants to stop.
bool IsInterrupted();

/// In the worker: where the results are and which command goes on, for the process that is left.
void AnnounceRun(const std::string& folder, const std::string& resume_command);

}  // namespace culprit::cli
