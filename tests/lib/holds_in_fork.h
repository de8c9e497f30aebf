// SPDX-License-Identifier: Apache-2.0
//
// What a process does that was forked by a program with threads: it has none of them, and a copy of all else.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace culprit::tests {

/// Whether it returns true there, before somebody loses patience.
inline bool HoldsInFork(const std::function<bool()>& holds) {
  constexpr unsigned kSeconds = 20;
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSeconds);
    _exit(holds() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace culprit::tests
