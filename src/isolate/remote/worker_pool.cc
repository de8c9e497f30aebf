// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/worker_pool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kLook(100);
constexpr int kDeathsOfACrash = 2;
/// How often in a row a launcher is started whose worker had come before: a controller may be away for a
/// while. The pauses double, from one second on.
constexpr int kMostLaunches = 6;

/// What it did when its second worker died tells whose fault that is; a worker tells that every 10 ms.
Outcome Crash(const Lost& lost) {
  return {.ending = Signal{.number = SIGKILL}, .phase = lost.phase, .output = lost.why};
}

base::Diagnostic NobodyLeft(const std::vector<std::string>& reasons, const WorkerLaunch& launch) {
  base::Diagnostic error{{"culprit"},
                         reasons.size() == 1 ? reasons[0]
                                             : fmt::format("none of the {} workers is left: {}",
                                                           reasons.size(), reasons.back())};
  std::vector<std::string> others(reasons.begin(), reasons.end() - 1);
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::erase(others, reasons.back());
  constexpr size_t kMostShown = 3;
  for (size_t i = 0; i < std::min(others.size(), kMostShown); ++i) error.notes.push_back(others[i]);
  // A worker greets, and ends with its standard input.
  error.help =
      fmt::format("to try it, run: {} {} < /dev/null", launch.launcher, fmt::join(launch.program, " "));
  error.cause = base::Cause::kEnvironment;
  return error;
}

}  // namespace

/// Where one worker after the other works.
class WorkerPool::Place {
 public:
  explicit Place(WorkerPool& pool) : pool_(pool) {}

  void Run() {
    while (!pool_.IsStopped()) {
      const Lost lost = WorkWithOne();
      if (pool_.IsStopped() || lost.how == Lost::How::kStopped) continue;
      if (!MayTryAgain(lost)) return pool_.GivenUp(lost.why);
      pool_.options_.note("warning: " + lost.why);
    }
  }

 private:
  /// From its launch to its end.
  Lost WorkWithOne() {
    auto program = Launched::Start(pool_.options_.launch);
    if (!program.ok()) return {Lost::How::kNeverCame, program.error().message};
    RemoteWorker worker(*std::move(program), [this] { return pool_.IsStopped(); });
    if (auto lost = worker.Meet(pool_.options_.made_of, pool_.options_.setup)) return *std::move(lost);
    failed_launches_ = 0;
    has_come_ = true;
    pool_.Came();
    while (!pool_.IsStopped()) {
      if (auto lost = worker.Look()) return *std::move(lost);
      auto query = pool_.queries_.Take(kLook);
      if (!query) continue;
      if (auto lost = Ask(worker, std::move(query))) return *std::move(lost);
    }
    worker.End();
    return {Lost::How::kStopped};
  }

  std::optional<Lost> Ask(RemoteWorker& worker, std::shared_ptr<RemoteQuery> query) {
    if (query->wants_fresh_worker && worker.queries() > 0) {
      if (auto lost = worker.Renew(pool_.options_.made_of, pool_.options_.setup)) {
        pool_.queries_.PutBack(std::move(query));
        return lost;
      }
    }
    auto answer = worker.Run(query->task, query->request, query->limits);
    if (auto* outcome = std::get_if<Outcome>(&answer)) {
      pool_.queries_.Answer(*query, std::move(*outcome));
      return std::nullopt;
    }
    Lost& lost = std::get<Lost>(answer);
    if (lost.how == Lost::How::kDied) ++query->deaths;
    if (query->deaths >= kDeathsOfACrash) {
      pool_.queries_.Answer(*query, Crash(lost));
    } else {
      pool_.queries_.PutBack(std::move(query));
    }
    return std::move(lost);
  }

  /// Waits a while before it says yes, if that makes sense.
  bool MayTryAgain(const Lost& lost) {
    if (lost.how == Lost::How::kUnfit) return false;
    if (lost.how == Lost::How::kDied) return true;
    if (!has_come_ || ++failed_launches_ >= kMostLaunches) return false;
    const SteadyClock::time_point until =
        SteadyClock::now() + std::chrono::seconds(1U << (failed_launches_ - 1));
    while (SteadyClock::now() < until && !pool_.IsStopped()) std::this_thread::sleep_for(kLook);
    return true;
  }

  WorkerPool& pool_;
  bool has_come_ = false;
  int failed_launches_ = 0;
};

WorkerPool::WorkerPool(PoolOptions options) : options_(std::move(options)) {
  // A worker that dies while it is written to is an error of that write.
  sigset_t pipe;
  sigset_t before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  for (size_t i = 0; i < options_.workers; ++i) threads_.emplace_back([this] { Place(*this).Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WorkerPool::~WorkerPool() {
  is_stopped_ = true;
  for (std::thread& thread : threads_) thread.join();
}

base::Result<Outcome> WorkerPool::Run(std::string_view task, const Message& request, const Limits& limits,
                                      Fresh fresh) {
  return queries_.Ask({std::string(task), request, limits, fresh == Fresh::kYes}, options_.stop);
}

base::Status WorkerPool::WaitForOne() {
  std::unique_lock lock(mutex_);
  while (!has_come_ && given_up_.size() < options_.workers) {
    changed_.wait_for(lock, kLook);
    if (options_.stop && options_.stop()) return base::Diagnostic{{"culprit"}, "interrupted"};
  }
  if (given_up_.size() == options_.workers) return NobodyLeft(given_up_, options_.launch);
  return base::Done{};
}

void WorkerPool::Came() {
  const std::lock_guard lock(mutex_);
  has_come_ = true;
  changed_.notify_all();
}

void WorkerPool::GivenUp(const std::string& why) {
  const std::lock_guard lock(mutex_);
  given_up_.push_back(why);
  changed_.notify_all();
  if (given_up_.size() == options_.workers) return queries_.Close(NobodyLeft(given_up_, options_.launch));
  options_.note("warning: " + why);
}

}  // namespace culprit::isolate
