// SPDX-License-Identifier: Apache-2.0
#include "isolate/zygote.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>

#include "isolate/process_usage.h"
#include "isolate/wire/session_name.h"
#include "isolate/wire/socket.h"
#include "isolate/wire/system_error.h"
#include "isolate/worker.h"
#include "isolate/zygote_loop.h"

namespace culprit::isolate {

base::Result<std::shared_ptr<const Zygote>> Zygote::Start(std::span<const Task> tasks) {
  auto sockets = CULPRIT_TRY(MakeSocketPair());
  // Children find by it what the caller starts later.
  SessionName();
  // What is buffered now would be printed once by each process.
  std::fflush(nullptr);
  const pid_t caller = getpid();
  const pid_t pid = fork();
  if (pid < 0) return SystemError("fork");
  if (pid == 0) {
    sockets.first.Close();
    RunZygote(tasks, std::move(sockets.second), caller);
  }
  return std::shared_ptr<const Zygote>(new Zygote(tasks, std::move(sockets.first), pid));
}

Zygote::Zygote(std::span<const Task> tasks, Descriptor control, pid_t pid)
    : tasks_(tasks.begin(), tasks.end()),
      control_(std::move(control)),
      pid_(pid),
      memory_at_start_(MemoryOf(pid).value_or(0)) {}

Zygote::~Zygote() {
  // Unlike closing it, this reaches the zygote even if a process that was forked from this one has a copy.
  shutdown(control_.number(), SHUT_RDWR);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

base::Result<Outcome> Zygote::RunFresh(std::string_view task, const Message& request, const Limits& limits,
                                       const OnLook& on_look) const {
  return Worker(shared_from_this()).Run(task, request, limits, on_look);
}

uint32_t Zygote::TaskIndex(std::string_view name) const {
  const auto task =
      std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& task) { return task.name == name; });
  CULPRIT_CHECK(task != tasks_.end(), "no task '{}'", name);
  return static_cast<uint32_t>(task - tasks_.begin());
}

}  // namespace culprit::isolate
