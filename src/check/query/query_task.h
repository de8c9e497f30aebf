// SPDX-License-Identifier: Apache-2.0
//
// A query in a process of its own: the repro goes there, the finding comes back, and if the process dies
// instead, that is the finding.
#pragma once

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

/// May be used by several threads at once.
class IsolatedQuery {
 public:
  /// The zygote has kQueryTask in its table.
  IsolatedQuery(std::shared_ptr<const isolate::Zygote> zygote, isolate::Limits limits)
      : zygote_(std::move(zygote)), limits_(limits) {}

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

  std::shared_ptr<const isolate::Zygote> zygote_;
  isolate::Limits limits_;
  std::mutex mutex_;
  /// Large storages that were sent before, such as weights, so that they are copied once. Nobody writes into
  /// them; they are forgotten when nobody else holds them.
  std::unordered_map<const void*, Sent> sent_;
};

}  // namespace culprit::check
