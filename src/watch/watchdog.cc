// SPDX-License-Identifier: Apache-2.0
#include "watch/watchdog.h"

#include <unistd.h>

#include <algorithm>

namespace culprit::watch {
namespace {

/// How often it looks within the shortest limit.
constexpr int kLooks = 10;
constexpr Watchdog::Clock::duration kShortestTick = std::chrono::milliseconds(5);

}  // namespace

std::shared_ptr<Watchdog> Watchdog::Shared() {
  static std::mutex mutex;
  static std::weak_ptr<Watchdog> shared;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Watchdog> watchdog = shared.lock();
  if (!watchdog) shared = watchdog = std::make_shared<Watchdog>();
  return watchdog;
}

Watchdog::Watchdog() : process_(getpid()), thread_([this] { Run(); }) {}

void Watchdog::StartIfForked() {
  if (process_ == getpid()) return;
  // What is looked after by the thread of the parent is none of this process's.
  scopes_.clear();
  thread_.detach();
  process_ = getpid();
  thread_ = std::thread([this] { Run(); });
}

Watchdog::~Watchdog() {
  if (process_ != getpid()) {
    thread_.detach();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Watchdog::Scope::Scope(Watchdog& watchdog, Clock::duration limit, std::function<void()> overdue)
    : watchdog_(watchdog), deadline_(Clock::now() + limit), overdue_(std::move(overdue)) {
  const Clock::duration tick = std::max(limit / kLooks, kShortestTick);
  bool is_shorter = false;
  {
    const std::lock_guard lock(watchdog_.mutex_);
    watchdog_.StartIfForked();
    place_ = watchdog_.scopes_.insert(watchdog_.scopes_.end(), this);
    is_shorter = tick < watchdog_.tick_;
    if (is_shorter) watchdog_.tick_ = tick;
  }
  if (is_shorter) watchdog_.changed_.notify_all();
}

Watchdog::Scope::~Scope() {
  std::unique_lock lock(watchdog_.mutex_);
  watchdog_.changed_.wait(lock, [&] { return !is_running_; });
  watchdog_.scopes_.erase(place_);
}

Watchdog::Scope* Watchdog::NextOverdue() {
  const Clock::time_point now = Clock::now();
  const auto found = std::ranges::find_if(
      scopes_, [&](const Scope* scope) { return !scope->has_run_ && scope->deadline_ < now; });
  return found == scopes_.end() ? nullptr : *found;
}

void Watchdog::Run() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    Scope* scope = NextOverdue();
    if (scope == nullptr) {
      changed_.wait_for(lock, tick_);
      continue;
    }
    scope->is_running_ = scope->has_run_ = true;
    lock.unlock();
    scope->overdue_();
    lock.lock();
    scope->is_running_ = false;
    changed_.notify_all();
  }
}

}  // namespace culprit::watch
