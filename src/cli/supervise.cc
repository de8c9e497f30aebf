// SPDX-License-Identifier: Apache-2.0
#include "cli/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "base/shell_word.h"
#include "cli/command.h"

namespace culprit::cli {
namespace {

constexpr int kSecondsToStop = 5;

/// Memory that the worker and this process share: the path of the run folder.
char* shared_folder = nullptr;
std::atomic<bool> interrupted = false;

bool MakeSharedFolder() {
  void* memory = mmap(nullptr, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  shared_folder = static_cast<char*>(memory);
  return true;
}

void OnInterrupt(int /*signal*/) {
  interrupted = true;
}

sigset_t SignalsToWaitFor() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals, number);
  return signals;
}

[[noreturn]] void Work(const std::function<int()>& work, pid_t parent, const sigset_t& old_mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kInternal);
  // Out of reach of the terminal: it is the parent who passes on what the user wants.
  setpgid(0, 0);
  signal(SIGINT, OnInterrupt);
  signal(SIGTTOU, SIG_IGN);
  sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  int status = kInternal;
  try {
    status = work();
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: internal error: {}\n", error.what());
  }
  if (std::fflush(nullptr) != 0) {
    fmt::print(stderr, "culprit: error: the output cannot be written: {}\n", std::strerror(errno));
    status = kInternal;
  }
  _exit(status);
}

struct Ending {
  int status = 0;
  bool was_interrupted = false;
};

/// Passes interruptions on, the first as a wish, and kills who does not follow it.
Ending WaitFor(pid_t worker, const sigset_t& signals) {
  Ending ending;
  while (waitpid(worker, &ending.status, WNOHANG) == 0) {
    const timespec wait = {ending.was_interrupted ? kSecondsToStop : 3600, 0};
    const int number = sigtimedwait(&signals, nullptr, &wait);
    if (number == SIGCHLD) continue;
    if (number < 0 && errno == EINTR) continue;
    if (number < 0 && !ending.was_interrupted) continue;
    kill(worker, ending.was_interrupted ? SIGKILL : SIGINT);
    ending.was_interrupted = true;
  }
  return ending;
}

int Report(const Ending& ending) {
  const std::string folder = shared_folder;
  const bool exited = WIFEXITED(ending.status);
  const int status = exited ? WEXITSTATUS(ending.status) : kInternal;
  if (exited && status != kInterrupted && !ending.was_interrupted) return status;
  if (ending.was_interrupted && exited && status != kInterrupted) return status;
  base::Diagnostic error{{"culprit"}, "interrupted"};
  if (!ending.was_interrupted && !exited)
    error.message = fmt::format("the process that did the work died: {}", strsignal(WTERMSIG(ending.status)));
  if (!folder.empty()) {
    error.notes.push_back(
        fmt::format("the smallest repro so far: {}", base::ShellWord(folder + "/repro.py")));
    error.help = fmt::format("to go on, run: culprit minify --resume {}", base::ShellWord(folder));
  }
  const bool is_ours = !ending.was_interrupted && !exited;
  return Fail(error, is_ours ? kInternal : kInterrupted);
}

}  // namespace

int RunSupervised(const std::function<int()>& work) {
  if (!MakeSharedFolder()) return Fail({{"culprit"}, "there is no memory"}, kInternal);
  std::fflush(nullptr);
  const sigset_t signals = SignalsToWaitFor();
  sigset_t old_mask;
  sigprocmask(SIG_BLOCK, &signals, &old_mask);
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker < 0)
    return Fail({{"culprit"}, fmt::format("nothing can be forked: {}", std::strerror(errno))}, kInternal);
  if (worker == 0) Work(work, self, old_mask);
  return Report(WaitFor(worker, signals));
}

bool IsInterrupted() {
  return interrupted;
}

void AnnounceRunFolder(const std::string& path) {
  if (shared_folder != nullptr && path.size() < PATH_MAX)
    std::memcpy(shared_folder, path.c_str(), path.size() + 1);
}

}  // namespace culprit::cli
