// SPDX-License-Identifier: Apache-2.0
//
// What was compiled, under observation. By level:
//
//   1, 2   an exception that the graph itself does not throw is reported
//   3      the inputs are on disk before each call (crash_record.h)
//   4      as 2, and the numbers are checked (numbers_check.h)
//
// A call that takes too long is reported at every level (watchdog.h).
#pragma once

#include <atomic>
#include <memory>

#include "backend/backend.h"
#include "watch/crash_record.h"
#include "watch/session/watch_session.h"
#include "watch/subject/watched_graph.h"
#include "watch/watchdog.h"

namespace culprit::watch {

/// What watching a graph takes, from its compilation on.
struct GraphWatch {
  std::shared_ptr<WatchSession> session;
  std::shared_ptr<const WatchedGraph> subject;
  /// Whether failures are reported, or only survived.
  bool is_active = false;
  /// Whether the numbers of calls are.
  bool is_judged = false;
  /// Null unless the session has a limit.
  std::shared_ptr<Watchdog> watchdog;
  /// Null unless the level asks for one.
  std::shared_ptr<CrashRecord> record;
  /// Whether there is something to wait for, before and behind a call.
  bool uses_accelerator = false;
};

/// Never null: without a compiled graph every call runs as written, which is counted.
std::unique_ptr<backend::Compiled> Watch(std::unique_ptr<backend::Compiled> compiled, GraphWatch watched);

}  // namespace culprit::watch
