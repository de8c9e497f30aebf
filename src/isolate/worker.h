// SPDX-License-Identifier: Apache-2.0
//
// A child that stays for many queries, which makes them cheap: it is warm (pools of threads run, caches are
// filled). The price is that queries see what earlier ones left in the process; where that matters, use
// Zygote::RunFresh.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "isolate/child.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"
#include "isolate/watch_query.h"
#include "isolate/wire/envelope.h"

namespace culprit::isolate {

class Zygote;

/// For one thread at a time.
class Worker {
 public:
  /// Starts no process yet.
  explicit Worker(std::shared_ptr<const Zygote> zygote);

  /// `task` is a name in the table. A query that ended by the death of the child, or had to be ended, costs
  /// the next one a fork.
  base::Result<Outcome> Run(std::string_view task, const Message& request, const Limits& limits = {},
                            const OnLook& on_look = nullptr);

  /// Kills the child, so that the next query gets a fresh one.
  void Discard() { child_.reset(); }

 private:
  struct Attempt {
    Outcome outcome;
    bool was_taken = false;
  };

  base::Result<Attempt> TryOnce(const Envelope& request, const Limits& limits, const OnLook& on_look);
  base::Result<ChildOutcome> RunInChild(const Envelope& request, const Limits& limits, const OnLook& on_look);

  std::shared_ptr<const Zygote> zygote_;
  std::optional<Child> child_;
  /// Of this worker, so that no answer to an earlier request is mistaken for one to this.
  uint32_t requests_ = 0;
};

}  // namespace culprit::isolate
