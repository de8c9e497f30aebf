// SPDX-License-Identifier: Apache-2.0
#include "watch/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace culprit::watch {
namespace {

/// How often it looks within the shortest limit.
constexpr int kLooks = 10;
constexpr Watchdog::Clock::duration kShortestTick = std::chrono::milliseconds(5);

}  // namespace

/// Of one process. A process that was forked must not touch that of its parent, not even to destroy it: it
/// may be locked, and somebody waits for it who does not exist.
struct Watchdog::State {
  bool is_of_this_process() const { return process == getpid(); }
  void Start();
  void End();
  void Run();
  Scope* NextOverdue() const;

  const pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Scope*> scopes;
  Clock::duration tick = std::chrono::seconds(1);
  bool is_ending = false;
  std::thread thread;
};

std::shared_ptr<Watchdog> Watchdog::Shared() {
  static std::mutex mutex;
  static std::weak_ptr<Watchdog> shared;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Watchdog> watchdog = shared.lock();
  if (!watchdog) shared = watchdog = std::make_shared<Watchdog>();
  return watchdog;
}

Watchdog::Watchdog() : state_(new State) {
  state_.load()->Start();
}

Watchdog::State& Watchdog::CurrentState() {
  State* state = state_;
  if (state->is_of_this_process()) return *state;
  auto own = std::make_unique<State>();
  // Of several threads that notice it, one has its way.
  if (!state_.compare_exchange_strong(state, own.get())) return *state;
  own->Start();
  return *own.release();
}

Watchdog::~Watchdog() {
  State* state = state_;
  if (!state->is_of_this_process()) return;
  state->End();
  delete state;
}

Watchdog::Scope::Scope(Watchdog& watchdog, Clock::duration limit, std::function<void()> overdue)
    : state_(watchdog.CurrentState()), deadline_(Clock::now() + limit), overdue_(std::move(overdue)) {
  const Clock::duration tick = std::max(limit / kLooks, kShortestTick);
  bool is_shorter = false;
  {
    const std::lock_guard lock(state_.mutex);
    place_ = state_.scopes.insert(state_.scopes.end(), this);
    is_shorter = tick < state_.tick;
    if (is_shorter) state_.tick = tick;
  }
  if (is_shorter) state_.changed.notify_all();
}

Watchdog::Scope::~Scope() {
  if (!state_.is_of_this_process()) return;
  std::unique_lock lock(state_.mutex);
  state_.changed.wait(lock, [&] { return !is_running_; });
  state_.scopes.erase(place_);
}

Watchdog::Scope* Watchdog::State::NextOverdue() const {
  const Clock::time_point now = Clock::now();
  const auto found = std::ranges::find_if(
      scopes, [&](const Scope* scope) { return !scope->has_run_ && scope->deadline_ < now; });
  return found == scopes.end() ? nullptr : *found;
}

void Watchdog::State::Run() {
  std::unique_lock lock(mutex);
  while (!is_ending) {
    Scope* scope = NextOverdue();
    if (scope == nullptr) {
      changed.wait_for(lock, tick);
      continue;
    }
    scope->is_running_ = scope->has_run_ = true;
    lock.unlock();
    scope->overdue_();
    lock.lock();
    scope->is_running_ = false;
    changed.notify_all();
  }
}

void Watchdog::State::Start() {
  thread = std::thread([this] { Run(); });
}

void Watchdog::State::End() {
  {
    const std::lock_guard lock(mutex);
    is_ending = true;
  }
  changed.notify_all();
  thread.join();
}

}  // namespace culprit::watch
