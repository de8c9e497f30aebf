// SPDX-License-Identifier: Apache-2.0
//
// A query in a process of its own: the repro goes there, the finding comes back, and if the process dies
// instead, that is the finding.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/result.h"
#include "check/verdict/sign.h"
#include "isolate/query/task.h"
#include "isolate/zygote.h"
#include "repro/pack.h"
#include "repro/repro.h"

namespace culprit::check {

/// For the table of a zygote.
isolate::Message RunQueryTask(const isolate::Message& request);
inline constexpr isolate::Task kQueryTask = {"query", &RunQueryTask};

/// Before a child gets the request: starts what it needs to find, such as the server of the backend.
base::Status PrepareForQuery(const isolate::Message& request);

/// Runs a request in a process of its own: a child of this process, or of a worker elsewhere. By several
/// threads at once. An error is none of the query's.
using RunQueryRequest =
    std::function<base::Result<isolate::Outcome>(const isolate::Message&, const isolate::Limits&)>;

/// The zygote has kQueryTask in its table.
RunQueryRequest InChildrenOf(std::shared_ptr<const isolate::Zygote> zygote);

/// May be used by several threads at once.
class IsolatedQuery {
 public:
  IsolatedQuery(RunQueryRequest run, isolate::Limits limits) : run_(std::move(run)), limits_(limits) {}
  IsolatedQuery(std::shared_ptr<const isolate::Zygote> zygote, isolate::Limits limits)
      : IsolatedQuery(InChildrenOf(std::move(zygote)), limits) {}

  /// A repro that cannot be sent is invalid. An error is none of the query's: nothing can be forked, there is
  /// no memory.
  base::Result<Finding> Ask(const repro::Repro& repro);

 private:
  base::Result<isolate::Message> RequestOf(const repro::Repro& repro);
  base::Result<std::shared_ptr<isolate::SharedMemory>> MemoryWith(const repro::PackedBytes& packed);

  struct Sent {
    c10::Storage storage;
    std::shared_ptr<isolate::SharedMemory> memory;
  };

  RunQueryRequest run_;
  isolate::Limits limits_;
  std::mutex mutex_;
  /// Large storages that were sent before, such as weights, so that they are copied once. Nobody writes into
  /// them; they are forgotten when nobody else holds them.
  std::unordered_map<const void*, Sent> sent_;
};

}  // namespace culprit::check
