// SPDX-License-Identifier: Apache-2.0
//
// Requests that wait for a worker. Each is answered once, whoever took it and however often.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"

namespace culprit::isolate {

struct RemoteQuery {
  std::string task;
  Message request;
  Limits limits = {};
  /// A worker that has answered others before becomes a new process for it.
  bool wants_fresh_worker = false;
  /// How many workers have died of it.
  int deaths = 0;
  std::optional<base::Result<Outcome>> answer = std::nullopt;
};

class QueryQueue {
 public:
  /// Waits for the answer. An error if there is nobody to ask, or `stop` says that it is not wanted.
  base::Result<Outcome> Ask(RemoteQuery query, const std::function<bool()>& stop);

  /// For workers: the next one; nothing if none comes for so long.
  std::shared_ptr<RemoteQuery> Take(std::chrono::milliseconds patience);
  void Answer(RemoteQuery& query, base::Result<Outcome> answer);
  /// It comes first, before those that nobody has taken.
  void PutBack(std::shared_ptr<RemoteQuery> query);

  /// From now on nobody will answer.
  void Close(base::Diagnostic why);

 private:
  std::mutex mutex_;
  std::condition_variable asked_;
  std::condition_variable answered_;
  std::deque<std::shared_ptr<RemoteQuery>> waiting_;
  std::optional<base::Diagnostic> closed_;
};

}  // namespace culprit::isolate
