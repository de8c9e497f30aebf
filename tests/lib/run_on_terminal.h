// SPDX-License-Identifier: Apache-2.0
//
// Runs a program on a terminal of 80 columns.
#pragma once

#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/internal_error.h"

namespace culprit::tests {

/// All that it writes, as the terminal gets it.
inline std::string RunOnTerminal(std::vector<std::string> command) {
  winsize size = {.ws_row = 24, .ws_col = 80};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  CULPRIT_CHECK(child >= 0, "there is no terminal");
  if (child == 0) {
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

}  // namespace culprit::tests
