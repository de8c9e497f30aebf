// SPDX-License-Identifier: Apache-2.0
#include "check/query/announce_phases.h"

#include <chrono>
#include <optional>

#include "check/verdict/same_two_models.h"
#include "isolate/query/task.h"
#include "process/give_back_memory.h"

namespace culprit::check {

std::function<void(std::string_view)> AnnouncePhases() {
  using Clock = std::chrono::steady_clock;
  return [eager_since = std::optional<Clock::time_point>()](std::string_view phase) mutable {
    if (eager_since) isolate::AnnounceYardstick(Clock::now() - *eager_since);
    eager_since.reset();
    process::GiveBackMemory();
    isolate::AnnouncePhase(phase);
    if (phase == kEagerPhase) eager_since = Clock::now();
  };
}

}  // namespace culprit::check
