// SPDX-License-Identifier: Apache-2.0
//
// Looks after calls and compilations that may take only so long: one thread for all of them, which lives as
// long as somebody holds the watchdog. It looks a few times per limit, so that nobody has to wake it. A
// process that was forked gets a thread of its own when it first needs one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace culprit::watch {

class Watchdog {
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
    Watchdog& watchdog_;
    const Clock::time_point deadline_;
    const std::function<void()> overdue_;
    bool is_running_ = false;
    bool has_run_ = false;
    std::list<Scope*>::iterator place_;
  };

 private:
  void Run();
  /// Locked.
  void StartIfForked();
  Scope* NextOverdue();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Scope*> scopes_;
  Clock::duration tick_ = std::chrono::seconds(1);
  bool is_ending_ = false;
  /// Of the process that has the thread.
  pid_t process_;
  std::thread thread_;
};

}  // namespace culprit::watch
