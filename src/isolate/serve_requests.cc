// SPDX-License-Identifier: Apache-2.0
#include "isolate/serve_requests.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <iostream>

#include "isolate/crash/crash_handler.h"
#include "isolate/query/black_box.h"
#include "isolate/stacks/type_name.h"
#include "isolate/wire/envelope.h"

namespace culprit::isolate {
namespace {

constexpr int kCannotServe = 70;

void DieWith(pid_t zygote) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have died before.
  if (getppid() != zygote) _exit(kCannotServe);
}

/// Its own session and process group: killed with all that it starts, and out of reach of the terminal.
void LeaveCallersWorld(const Descriptor& output) {
  setsid();
  const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.number(), STDIN_FILENO);
  dup2(output.number(), STDOUT_FILENO);
  dup2(output.number(), STDERR_FILENO);
  const rlimit no_core_files = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core_files);
  // If the machine runs out of memory, this process goes first.
  const Descriptor out_of_memory_score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] const ssize_t written = write(out_of_memory_score.number(), "1000", 4);
}

/// The zygote has no handlers, but a mask.
void UnblockSignals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Written by this process, so unlike received memory it is mapped shared.
BlackBox* MapBlackBox(const Descriptor& memory) {
  void* box = mmap(nullptr, sizeof(BlackBox), PROT_READ | PROT_WRITE, MAP_SHARED, memory.number(), 0);
  if (box == MAP_FAILED) _exit(kCannotServe);
  return static_cast<BlackBox*>(box);
}

Envelope Answer(const Task& task, const Envelope& request) {
  Envelope answer{EnvelopeKind::kResult, request.task, request.number, {}};
  try {
    answer.message = task.run(request.message);
  } catch (const std::exception& error) {
    answer.kind = EnvelopeKind::kException;
    answer.message.bytes = TypeName(typeid(error)) + '\0' + error.what();
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    answer.kind = EnvelopeKind::kNonstandardThrow;
    answer.message.bytes = TypeName(*abi::__cxa_current_exception_type());
  }
  return answer;
}

void Deliver(const Descriptor& socket, const Envelope& answer, BlackBox& box) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  if (SendEnvelope(socket, answer).ok()) return;
  box.is_undeliverable.store(1);
  _exit(kCannotServe);
}

}  // namespace

void ServeRequests(std::span<const Task> tasks, ChildEnds ends, pid_t zygote) {
  DieWith(zygote);
  LeaveCallersWorld(ends.output);
  ends.output.Close();
  UnblockSignals();
  BlackBox& box = *MapBlackBox(ends.black_box);
  ends.black_box.Close();
  SetOwnBlackBox(&box);
  InstallCrashHandler();
  const pid_t self = getpid();
  while (true) {
    const auto request = ReceiveEnvelope(ends.socket);
    if (!request.ok() || !*request) _exit(kCannotServe);
    box.last_request.store((*request)->number);
    const Envelope answer = Answer(tasks[(*request)->task], **request);
    // A task that forked and came back twice answers once.
    if (getpid() != self) _exit(0);
    Deliver(ends.socket, answer, box);
  }
}

}  // namespace culprit::isolate
