// SPDX-License-Identifier: Apache-2.0
//
// While a check runs, nothing that it calls is watched: it compiles and calls the very backends that are, and
// what fails there is its answer. The backward pass of a check may run on threads of libtorch's own, which
// serve everybody; they know whose work they do, since libtorch takes along what is told here.
#pragma once

#include <c10/util/ThreadLocalDebugInfo.h>

#include <mutex>

namespace culprit::watch {

/// For this thread and what it has others do, until the end of the scope.
class NotWatched {
 public:
  NotWatched();

 private:
  const c10::DebugInfoGuard state_;
};

bool IsNotWatched();

/// A check in a live program: no other thread checks anything until the end of the scope. A check sets what
/// libtorch has once per process, the default dtype and the generator, and puts back what it has found; two
/// at a time would leave the program with what one of them had set. What happens in a check is no call of
/// the program's, and is not counted.
class CheckScope {
 public:
  /// Unless `is_watched`, the watcher is off.
  explicit CheckScope(bool is_watched = false);

 private:
  /// Owns nothing inside of another check, and where waiting would be for ever.
  const std::unique_lock<std::timed_mutex> alone_;
  const c10::DebugInfoGuard state_;
};

bool IsInCheck();

}  // namespace culprit::watch
