// SPDX-License-Identifier: Apache-2.0
//
// Runs code that may crash, hang, eat memory or exit, each time in a process of its own that costs a fork
// instead of loading libtorch. Bytes go in, an outcome comes out.
//
//   constexpr Task kTasks[] = {{"compile", CompileTask}};
//   const auto zygote = CULPRIT_TRY(Zygote::Start(kTasks));
//   const Outcome outcome = CULPRIT_TRY(zygote->RunFresh("compile", {bytes}, {.wall_time = 5s}));
//
// Who is who: the caller forks the zygote, early; the zygote forks children (zygote_loop.h), which run tasks
// (serve_requests.h). A caller's thread watches its own query (watch_query.h). If any of them is killed,
// the others notice, clean up and end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isolate/child.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"
#include "isolate/query/task.h"
#include "isolate/watch_query.h"

namespace culprit::isolate {

class Zygote : public std::enable_shared_from_this<Zygote> {
 public:
  /// Forks. Call it as early as possible: before this process runs anything in parallel (children would hang
  /// in libgomp) and before it allocates much (a fork takes longer the more there is).
  static base::Result<std::shared_ptr<const Zygote>> Start(std::span<const Task> tasks);
  /// Ends the zygote and every child.
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  /// Runs the task with that name in a child forked for it. As all functions here, it may be called by
  /// several threads at a time. An error is none of the query's: the zygote has died, or nothing can be
  /// forked.
  base::Result<Outcome> RunFresh(std::string_view task, const Message& request, const Limits& limits = {},
                                 const OnLook& on_look = nullptr) const;

  pid_t pid() const { return pid_; }

  /// For Worker.
  base::Result<Child> SpawnChild() const { return Child::Spawn(control_); }
  uint32_t TaskIndex(std::string_view name) const;
  uint64_t memory_at_start() const { return memory_at_start_; }

 private:
  Zygote(std::span<const Task> tasks, Descriptor control, pid_t pid);

  const std::vector<Task> tasks_;
  const Descriptor control_;
  const pid_t pid_;
  /// What every child has from the beginning.
  const uint64_t memory_at_start_;
};

}  // namespace culprit::isolate
