// SPDX-License-Identifier: Apache-2.0
//
// What the zygote does all its life. It has libtorch loaded and never runs any of it, since an OpenMP pool
// does not survive a fork.
//
//   caller                                zygote
//     | control: four descriptors            |
//     |   socket, black box, output,  -----> | forks a child and gives it the first three
//     |   leash                              |
//     | <---- leash: started, its pid ------ |
//     | <---- leash: ended, its status ----- | the child stays a zombie: its pid, which is also the name of
//     |                                      | its process group, cannot become somebody else's
//     | ----- leash: release, or hang up --> | kills the group, reaps, and kills whatever the child's
//     children |                                      | have left behind, wherever they moved | <---- leash:
//     released -------------- |
//
// Orphans become the zygote's children, so all of its children that are no queries are theirs. A process that
// moved away from under a query that still runs (a daemon) may be taken for one.
//
// If the caller dies, the zygote kills everything and ends. If the zygote dies, the kernel kills its
// children.
#pragma once

#include <sys/types.h>

#include <span>

#include "isolate/query/task.h"
#include "isolate/wire/descriptor.h"

namespace culprit::isolate {

struct LeashMessage {
  enum class Kind : int32_t { kStarted, kCannotFork, kEnded, kReleased };
  Kind kind = Kind::kStarted;
  /// The pid, errno, or the status as of waitpid().
  int32_t value = 0;
};

constexpr size_t kSpawnDescriptors = 4;

[[noreturn]] void RunZygote(std::span<const Task> tasks, Descriptor control, pid_t caller);

}  // namespace culprit::isolate
