// SPDX-License-Identifier: Apache-2.0
#include "isolate/companion.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "isolate/process_usage.h"
#include "isolate/stacks/symbolize.h"

namespace culprit::isolate {
namespace {

/// While its modules are there: what a compiler has made goes with the companion.
void NameFunctions(CrashNote& crash) {
  const RawStack stack(crash.frames.begin(), crash.frames.begin() + crash.frame_count.load());
  const std::vector<StackFrame> frames = std::move(Symbolize({stack}).front());
  for (size_t i = 0; i < frames.size(); ++i) crash.symbols[i].Set(frames[i].symbol);
}

void CopyCrash(const BlackBox& from, BlackBox& to) {
  to.last_words = from.last_words;
  to.crash.is_claimed.store(1);
  to.crash.code = from.crash.code;
  to.crash.address = from.crash.address;
  to.crash.is_stack_overflow = from.crash.is_stack_overflow;
  to.crash.frames = from.crash.frames;
  // The companion may be damaged: it says how many, and the array is as long as it is.
  to.crash.frame_count.store(std::min<uint32_t>(from.crash.frame_count.load(), CrashNote::kMaxFrames));
  NameFunctions(to.crash);
  to.crash.signal.store(from.crash.signal.load());
}

}  // namespace

void AnnounceCompanion(pid_t companion) {
  BlackBox* const box = OwnBlackBox();
  if (box == nullptr) return;
  box->companion_memory.store(MemoryOf(companion).value_or(0));
  box->companion_time.store(CpuTimeOf(companion).value_or(std::chrono::nanoseconds(0)).count());
  box->companion.store(companion);
}

void EndLike(const BlackBox& companion, int status) {
  BlackBox* const box = OwnBlackBox();
  if (box == nullptr) return;
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  if (companion.crash.signal.load() != 0) CopyCrash(companion, *box);
  const int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  kill(getpid(), number);
  // It was one that does not kill.
  _exit(number);
}

}  // namespace culprit::isolate
