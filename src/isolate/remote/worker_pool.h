// SPDX-License-Identifier: Apache-2.0
//
// Several workers elsewhere (remote_worker.h), as a zygote for queries that are asked by several threads.
//
//   a worker that never comes     is waited for, as long as its launcher waits; the others work
//   a launcher that ends          is not started again if its worker has never come; if none is left, that
//                                 is an error with what it printed
//   a worker that dies            costs its query, which another one repeats; it is started anew
//   a query that kills two        has crashed
//   a worker of another version   is refused by name; so is one that sends what is no answer
//
// Each place for a worker has a thread. What is noted comes from these threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "isolate/remote/query_queue.h"
#include "isolate/remote/remote_worker.h"

namespace culprit::isolate {

struct PoolOptions {
  WorkerLaunch launch;
  size_t workers = 1;
  /// What they have to be made of, and what they get before the first query.
  MadeOf made_of = {};
  ParcelHead setup = ParcelHead::object();
  /// The user wants to stop: queries end without an answer.
  std::function<bool()> stop = nullptr;
  /// Hears what became of workers.
  std::function<void(const std::string&)> note = [](const std::string&) {};
};

class WorkerPool {
 public:
  explicit WorkerPool(PoolOptions options);
  /// Ends all workers, whatever they do.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// By any number of threads. Fresh: in a worker that has answered nothing else. An error is none of the
  /// request's: there is no worker left, or the user wants to stop.
  enum class Fresh : bool { kNo, kYes };
  base::Result<Outcome> Run(std::string_view task, const Message& request, const Limits& limits,
                            Fresh fresh = Fresh::kNo);

  /// Until the first one has come. An error if none will.
  base::Status WaitForOne();

 private:
  class Place;

  bool IsStopped() const { return is_stopped_; }
  void Came();
  /// A place that has none any more, for ever.
  void GivenUp(const std::string& why);

  const PoolOptions options_;
  QueryQueue queries_;
  std::atomic<bool> is_stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_come_ = false;
  /// One reason for each place.
  std::vector<std::string> given_up_;
  std::vector<std::thread> threads_;
};

}  // namespace culprit::isolate
