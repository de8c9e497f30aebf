// SPDX-License-Identifier: Apache-2.0
//
// What the other threads of this process are doing, for a watchdog in a program that is not ours:
//
//   thread 4711 "worker"
//     #0  pthread_cond_wait
//     #1  mine::Queue::Pop()
//     #2  libmine.so+0x1234
//
// Each thread is sent a real-time signal, whose handler notes its stack (unwind.h). The signal is one that
// the program leaves at its default, so that no handler of the program's is ever replaced. It is taken at the
// first use, and its handler stays for ever: a signal that a thread receives too late would otherwise end the
// process. When nobody asks, the handler does nothing. If the program sets another handler for it later,
// another signal is taken.
//
// A thread that blocks the signal, or waits for signals itself (sigwait), is not sent any: it may become
// ready meanwhile, and has no stack here otherwise.
//
// What a program notices: system calls are interrupted. They are restarted, except for those that never are:
// nanosleep, poll, select, epoll_wait, semaphores and sockets with a timeout give EINTR, as for any other
// signal.
//
// No lock of the program's is needed to take the stacks, so it does not matter which ones the hanging thread
// holds. Naming the functions happens in the thread that asks, and allocates memory there: if a thread hangs
// in malloc itself while it holds the arena of the asking thread, this hangs too. The lock of the loader is
// not needed. Since libgcc before version 13 has a lock for the frames of generated code, a thread that is
// just registering some must not be the one that hangs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "isolate/query/outcome.h"

namespace culprit::isolate {

struct ThreadStack {
  /// As the kernel counts; that of the main thread is the number of the process.
  pid_t id = 0;
  std::string name;
  /// At most 128, the innermost ones.
  std::vector<StackFrame> frames = {};
  /// Why there are no frames: "did not answer within 1000 ms (it blocks signals)".
  std::string missing = {};
};

/// All threads but the one that calls, in the order of their numbers. Those that end meanwhile are left out.
/// Takes as long as the slowest thread, but not more than the patience (and some time for the names). Calls
/// from several threads wait for each other.
std::vector<ThreadStack> StacksOfAllThreads(std::chrono::milliseconds patience = std::chrono::seconds(1));

std::string ToText(const std::vector<ThreadStack>& stacks);

}  // namespace culprit::isolate
