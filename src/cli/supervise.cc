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
#include "cli/run_guarded.h"
#include "cli/show/print.h"
#include "files/private_folder.h"

namespace culprit::cli {
namespace {

constexpr int kSecondsToStop = 5;

/// Memory that the worker and this process share.
struct SharedTexts {
  char folder[PATH_MAX];
  char resume_command[8 * PATH_MAX];
};
SharedTexts* shared = nullptr;
std::atomic<bool> interrupted = false;

bool MakeSharedTexts() {
  void* memory =
      mmap(nullptr, sizeof(SharedTexts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  shared = static_cast<SharedTexts*>(memory);
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
  _exit(EndOutput(RunGuarded(work)));
}

struct Ending {
  int status = 0;
  bool was_interrupted = false;
};

/// Passes interruptions on, the first as a wish if that is what it means, and kills who does not follow it.
Ending WaitFor(pid_t worker, const sigset_t& signals, WhenInterrupted interruption) {
  Ending ending;
  while (waitpid(worker, &ending.status, WNOHANG) == 0) {
    const timespec wait = {ending.was_interrupted ? kSecondsToStop : 3600, 0};
    const int number = sigtimedwait(&signals, nullptr, &wait);
    if (number == SIGCHLD) continue;
    if (number < 0 && errno == EINTR) continue;
    if (number < 0 && !ending.was_interrupted) continue;
    const bool kills = ending.was_interrupted || interruption == WhenInterrupted::kKills;
    kill(worker, kills ? SIGKILL : SIGINT);
    ending.was_interrupted = true;
  }
  return ending;
}

/// What a worker that was killed had started notices that, and ends. Whoever removes its files waits for it.
void WaitForOrphans() {
  constexpr int kMilliseconds = 5000;
  for (int i = 0; i < kMilliseconds; ++i) {
    const pid_t ended = waitpid(-1, nullptr, WNOHANG);
    if (ended < 0) return;
    if (ended == 0) usleep(1000);
  }
}

int Report(const Ending& ending) {
  const std::string folder = shared->folder;
  const bool exited = WIFEXITED(ending.status);
  const int status = exited ? WEXITSTATUS(ending.status) : kEnvironment;
  if (exited && status != kInterrupted && !ending.was_interrupted) return status;
  if (ending.was_interrupted && exited && status != kInterrupted) return status;
  base::Diagnostic error{{"culprit"}, "interrupted"};
  if (!ending.was_interrupted && !exited)
    error.message = fmt::format("the process that did the work died: {}", strsignal(WTERMSIG(ending.status)));
  if (!folder.empty()) {
    // Files of candidates, if the worker was killed.
    files::RemoveAbandonedFolders(folder);
    error.notes.push_back(
        fmt::format("the smallest repro so far: {}", base::ShellWord(folder + "/repro.py")));
    error.help = fmt::format("to go on, run: {}", shared->resume_command);
  }
  const bool has_died = !ending.was_interrupted && !exited;
  return Fail(error, has_died ? kEnvironment : kInterrupted);
}

}  // namespace

int RunSupervised(const std::function<int()>& work, WhenInterrupted interruption) {
  if (!MakeSharedTexts()) return Fail(base::SystemError({"culprit"}, "there is no memory", errno));
  std::fflush(nullptr);
  const sigset_t signals = SignalsToWaitFor();
  sigset_t old_mask;
  sigprocmask(SIG_BLOCK, &signals, &old_mask);
  // So that orphans become children of this process.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker < 0) return Fail(base::SystemError({"culprit"}, "nothing can be forked", errno));
  if (worker == 0) Work(work, self, old_mask);
  const Ending ending = WaitFor(worker, signals, interruption);
  if (ending.was_interrupted || !WIFEXITED(ending.status)) WaitForOrphans();
  return Report(ending);
}

bool IsInterrupted() {
  return interrupted;
}

void AnnounceRun(const std::string& folder, const std::string& resume_command) {
  const bool fits =
      folder.size() < sizeof(shared->folder) && resume_command.size() < sizeof(shared->resume_command);
  if (shared == nullptr || !fits) return;
  std::memcpy(shared->resume_command, resume_command.c_str(), resume_command.size() + 1);
  std::memcpy(shared->folder, folder.c_str(), folder.size() + 1);
}

}  // namespace culprit::cli
