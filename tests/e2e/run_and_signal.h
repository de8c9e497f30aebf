// SPDX-License-Identifier: Apache-2.0
//
// Runs the built program `culprit`, and sends signals to it or to its processes while it runs.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace culprit::tests {

/// Where a command that is signalled keeps its temporary files and its standard error.
struct Surroundings {
  std::string log = "/dev/null";
  std::string temporary_files = "/tmp";
};

/// Starts a command and gives its exit code as a shell would; in between `meanwhile` gets its process.
inline int RunAndDisturb(const std::vector<std::string>& words, const std::function<void(pid_t)>& meanwhile,
                         const Surroundings& around = {}) {
  std::vector<std::string> texts = words;
  texts.insert(texts.begin(), CULPRIT_PROGRAM);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (std::string& text : texts) argv.push_back(text.data());
    argv.push_back(nullptr);
    setenv("TMPDIR", around.temporary_files.c_str(), /*overwrite=*/1);
    setenv("COLUMNS", "0", /*overwrite=*/1);
    if (freopen("/dev/null", "w", stdout) == nullptr || freopen(around.log.c_str(), "w", stderr) == nullptr)
      _exit(1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Kills or interrupts it when `wait` returns.
inline int RunAndSignal(const std::vector<std::string>& words, int number, const std::function<void()>& wait,
                        const Surroundings& around = {}) {
  const auto signal = [&](pid_t program) {
    wait();
    kill(program, number);
  };
  return RunAndDisturb(words, signal, around);
}

/// A minute at most.
inline void WaitUntil(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

inline std::function<void()> After(int64_t milliseconds) {
  return [=] { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
}

inline std::function<void()> UntilThereIs(const std::string& path) {
  return [=] { WaitUntil([&] { return std::filesystem::exists(path); }); };
}

}  // namespace culprit::tests
