// SPDX-License-Identifier: Apache-2.0
#include "isolate/watch_query.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>

#include "isolate/crash/crash_report.h"
#include "isolate/output_excerpt.h"
#include "isolate/process_usage.h"
#include "isolate/wire/envelope.h"
#include "isolate/wire/socket.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using SteadyClock = std::chrono::steady_clock;

/// How late the end of CPU time or memory may be noticed: some hundred megabytes at most.
constexpr milliseconds kLook = milliseconds(10);

class QueryWatch {
 public:
  QueryWatch(const Child& child, const WatchedQuery& query)
      : child_(child), query_(query), limits_(query.limits), output_(query.limits.output_bytes) {}

  base::Result<ChildOutcome> Run() {
    const nanoseconds cpu_at_start = CpuTimeOf(child_.pid()).value_or(nanoseconds(0));
    std::optional<Ending> ending;
    while (!ending) {
      std::array<pollfd, 3> events = {{{has_hung_up_ ? -1 : child_.socket().number(), POLLIN, 0},
                                       {child_.leash().number(), POLLIN, 0},
                                       {is_silent_ ? -1 : child_.output().number(), POLLIN, 0}}};
      poll(events.data(), events.size(), PollMilliseconds());
      if (events[2].revents != 0) ReadOutput();
      // The answer first: a child that answered and died afterwards has answered.
      if (events[0].revents != 0) ending = ReadAnswer();
      if (!ending && events[1].revents != 0) ending = CULPRIT_TRY(ReadStatus());
      if (!ending) ending = CheckLimits(cpu_at_start);
      if (query_.on_look) query_.on_look(child_.black_box().phase.Get());
    }
    ReadOutput();
    Outcome outcome{*std::move(ending), child_.black_box().phase.Get(), output_.Text(), output_.total_bytes(),
                    Elapsed()};
    return ChildOutcome{std::move(outcome), is_fit_};
  }

 private:
  nanoseconds Elapsed() const { return SteadyClock::now() - start_; }

  int PollMilliseconds() const {
    const nanoseconds left = limits_.wall_time - Elapsed();
    return static_cast<int>(
        std::clamp(std::chrono::ceil<milliseconds>(left), milliseconds(0), kLook).count());
  }

  /// What is there now: the process may go on writing.
  void ReadOutput() {
    constexpr int kMaxReads = 16;
    std::array<char, 16 << 10> buffer;
    for (int i = 0; i < kMaxReads; ++i) {
      const ssize_t size = read(child_.output().number(), buffer.data(), buffer.size());
      is_silent_ = size == 0;
      if (size <= 0) return;
      output_.Append({buffer.data(), static_cast<size_t>(size)});
    }
  }

  std::optional<Ending> ReadAnswer() {
    auto received = ReceiveEnvelope(child_.socket());
    if (!received.ok()) return Garbage{received.error().message};
    if (!*received) {
      // It has died, which the leash tells in a moment, or works on without a connection.
      has_hung_up_ = true;
      return std::nullopt;
    }
    Envelope& answer = **received;
    if (answer.number != query_.number || answer.kind == EnvelopeKind::kRequest)
      return Garbage{
          fmt::format("received an answer to request {} instead of {}", answer.number, query_.number)};
    is_fit_ = true;
    std::string& bytes = answer.message.bytes;
    if (answer.kind == EnvelopeKind::kResult) return Returned{std::move(answer.message)};
    if (answer.kind == EnvelopeKind::kNonstandardThrow) return NonstandardThrow{bytes};
    const size_t type_end = std::min(bytes.find('\0'), bytes.size());
    return Exception{bytes.substr(0, type_end), bytes.substr(std::min(type_end + 1, bytes.size()))};
  }

  base::Result<Ending> ReadStatus() {
    const int status = CULPRIT_TRY(child_.TakeStatus());
    // What it sent before may have come between the last look and its end.
    if (!has_hung_up_ && IsReadable(child_.socket())) {
      if (auto answered = ReadAnswer()) {
        is_fit_ = false;
        return *std::move(answered);
      }
    }
    if (WIFSIGNALED(status)) return Ending(ReportCrash(child_.black_box(), WTERMSIG(status)));
    if (child_.black_box().is_undeliverable.load() != 0)
      return Ending(Garbage{"the answer could not be sent: the child has closed its connection"});
    return Ending(Exit{WEXITSTATUS(status)});
  }

  /// Of what works for the child, beyond what it had before. A child may be damaged: the pid of somebody else
  /// makes it die early, no more.
  uint64_t MemoryOfCompanion() const {
    const BlackBox& box = child_.black_box();
    const pid_t companion = box.companion.load();
    if (companion <= 0) return 0;
    const uint64_t memory = MemoryOf(companion).value_or(0);
    return memory - std::min(memory, box.companion_memory.load());
  }

  nanoseconds TimeOfCompanion() const {
    const BlackBox& box = child_.black_box();
    const pid_t companion = box.companion.load();
    if (companion <= 0) return {};
    const nanoseconds before(box.companion_time.load());
    return std::max(CpuTimeOf(companion).value_or(before) - before, nanoseconds(0));
  }

  /// Beyond what it was forked with.
  uint64_t UsedMemory() {
    const uint64_t memory = MemoryOf(child_.pid()).value_or(0);
    const uint64_t used = memory - std::min(memory, query_.memory_at_start) + MemoryOfCompanion();
    most_used_ = std::max(most_used_, used);
    return used;
  }

  void GrowLimits() {
    const Growth& growth = limits_.growth;
    // A child may be damaged, but nothing in it took longer than all of it.
    const nanoseconds took =
        std::min<nanoseconds>(nanoseconds(child_.black_box().yardstick.load()), Elapsed());
    if (has_grown_ || took.count() <= 0) return;
    has_grown_ = true;
    if (growth.time > 0) limits_.wall_time = std::max(limits_.wall_time, Elapsed() + growth.time * took);
    if (growth.memory == 0) return;
    UsedMemory();
    const uint64_t wanted = std::min(growth.memory * most_used_, growth.most_memory_bytes);
    limits_.memory_bytes = std::max(limits_.memory_bytes, wanted);
  }

  std::optional<Ending> CheckLimits(nanoseconds cpu_at_start) {
    GrowLimits();
    const auto exceeded = [&](Ending ending) {
      // It crashed, and the handler cannot finish its report.
      if (child_.black_box().crash.signal.load() != 0) return Ending(ReportCrash(child_.black_box(), 0));
      return ending;
    };
    const SteadyClock::time_point now = SteadyClock::now();
    if (now - start_ >= limits_.wall_time) return exceeded(Timeout{Clock::kWall, limits_.wall_time});
    if (now - last_look_ < kLook) return std::nullopt;
    last_look_ = now;
    const auto cpu = CpuTimeOf(child_.pid());
    if (cpu && *cpu - cpu_at_start + TimeOfCompanion() >= limits_.cpu_time)
      return exceeded(Timeout{Clock::kCpu, limits_.cpu_time});
    const uint64_t used = UsedMemory();
    if (used > limits_.memory_bytes) return exceeded(MemoryLimit{limits_.memory_bytes, used});
    return std::nullopt;
  }

  const Child& child_;
  const WatchedQuery& query_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  SteadyClock::time_point last_look_ = start_;
  /// Those of the query, until they grow.
  Limits limits_;
  bool has_grown_ = false;
  uint64_t most_used_ = 0;
  OutputExcerpt output_;
  bool has_hung_up_ = false;
  bool is_silent_ = false;
  bool is_fit_ = false;
};

}  // namespace

base::Result<ChildOutcome> WatchQuery(const Child& child, const WatchedQuery& query) {
  return QueryWatch(child, query).Run();
}

}  // namespace culprit::isolate
