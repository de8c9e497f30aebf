// SPDX-License-Identifier: Apache-2.0
//
// Queries that run in workers elsewhere (isolate/remote/worker_pool.h) instead of in children of this
// process: with --launcher "srun -n1" each worker is started with
//
//   srun -n1 /usr/bin/culprit worker --stay
//
// A worker is made of the same culprit and the same PyTorch as this process, and loads the same libraries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/query/query_task.h"
#include "isolate/remote/worker_pool.h"

namespace culprit::tasks {

struct WorkersRequest {
  /// Empty: no workers.
  std::string launcher = {};
  size_t count = 1;
  /// Of the user's operators; where the workers are they have the same paths.
  std::vector<std::string> libraries = {};
};

class Workers {
 public:
  /// Does not wait for them. `stop` and `note` as of isolate::PoolOptions.
  static base::Result<std::shared_ptr<Workers>> Start(const WorkersRequest& request,
                                                      std::function<bool()> stop,
                                                      std::function<void(const std::string&)> note);

  base::Status WaitForOne() { return pool_.WaitForOne(); }

  using Fresh = isolate::WorkerPool::Fresh;
  /// `workers` lives as long as what is returned.
  static check::RunQueryRequest RunIn(std::shared_ptr<Workers> workers, Fresh fresh = Fresh::kNo);

 private:
  explicit Workers(isolate::PoolOptions options) : pool_(std::move(options)) {}

  isolate::WorkerPool pool_;
};

/// The worker's part (`culprit worker --stay`): takes requests from a descriptor and writes outcomes to another, until the first ends.
base::Status ServeWorkers(int in, int out);

}  // namespace culprit::tasks
