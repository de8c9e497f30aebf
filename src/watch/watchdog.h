// SPDX-License-Identifier: Apache-2.0
//
// Looks after calls and compilations that may take only so long: one thread for all of them, which lives as
// long as somebody holds the watchdog. It looks a few times per limit, so that nobody has to wake it. A
// process that was forked has the memory of its parent and none of its threads: it gets a thread of its own
// when it first needs one, and what was being looked after at the fork is the parent's business.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>

namespace culprit::watch {

class Watchdog {
  struct State;

 public:
  using Clock = std::chrono::steady_clock;

  /// The one of the process.
  static std::shared_ptr<Watchdog> Shared();
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// What is looked after, from the beginning to the end of the scope.
  class Scope {
   public:
    /// `overdue` is called once, by the watchdog's thread, if the scope lasts longer; the end of the scope
    /// waits for it.
    Scope(Watchdog& watchdog, Clock::duration limit, std::function<void()> overdue);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class Watchdog;
    State& state_;
    const Clock::time_point deadline_;
    const std::function<void()> overdue_;
    bool is_running_ = false;
    bool has_run_ = false;
    std::list<Scope*>::iterator place_;
  };

 private:
  /// Of this process.
  State& CurrentState();

  std::atomic<State*> state_;
};

}  // namespace culprit::watch
