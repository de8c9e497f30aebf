// SPDX-License-Identifier: Apache-2.0
#include "watch/overdue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "check/query/stamp.h"
#include "check/verdict/same_two_models.h"
#include "isolate/stacks/thread_stacks.h"
#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

/// Of this thread, if anything of it is limited.
thread_local LimitedScope* innermost = nullptr;

/// Nothing if it is not the compiler's.
std::optional<backend::FailurePhase> PhaseCalled(std::string_view announced) {
  if (check::IsEagerPhase(announced) || announced == check::kComparePhase) return std::nullopt;
  if (announced == check::NameOf(check::Phase::kCompile)) return backend::FailurePhase::kCompile;
  return announced.starts_with("backward") ? backend::FailurePhase::kBackward : backend::FailurePhase::kCall;
}

void ReportOverdue(const GraphWatch& watched, const backend::Values& inputs, const repro::RunSettings& run,
                   backend::FailurePhase phase) {
  WatchSession& session = *watched.session;
  const Evidence evidence{
      .inputs = inputs,
      .run = run,
      .signature = {.phase = phase,
                    .kind = backend::FailureKind::kTimeout,
                    .call = phase == backend::FailurePhase::kCompile ? 0 : 1},
      .is_hanging = true,
      .stacks = isolate::ToText(isolate::StacksOfAllThreads()) + session.StacksOfProgram(),
  };
  const Notice report = session.ReportFailure(*watched.subject, evidence, true);
  session.Warn(fmt::format("{} has not come back after {} s\n{}",
                           phase == backend::FailurePhase::kCompile ? "a compilation" : "a call",
                           session.settings().call_timeout, report.Lines()));
  if (session.settings().on_timeout == "end") _exit(kTimeoutExitCode);
}

}  // namespace

RecordedScope::RecordedScope(const GraphWatch& watched, const backend::Values& inputs,
                             const repro::RunSettings& run) {
  if (!watched.record) return;
  try {
    const NotWatched off;
    repro::Repro repro = ReproOf(*watched.subject, inputs, run, false);
    check::Stamp(repro.header);
    const auto data = GiveMemory(repro.inputs);
    const base::Status begun = watched.record->Begin(repro, data);
    if (begun.ok()) record_ = watched.record.get();
    if (!begun.ok()) watched.session->Warn(begun.error().Render("warning"));
  } catch (const std::exception& error) {
    watched.session->Warn(
        fmt::format("{} is not on disk while it runs: {}", watched.subject->graph.name(), error.what()));
  }
}

RecordedScope::~RecordedScope() {
  if (record_ != nullptr) record_->End();
}

LimitedScope::LimitedScope(const GraphWatch& watched, const backend::Values& inputs,
                           const repro::RunSettings& run, std::optional<backend::FailurePhase> phase)
    : watched_(watched), inputs_(inputs), run_(run), phase_(phase) {
  if (!watched_.watchdog) return;
  outer_ = std::exchange(innermost, this);
  if (outer_ != nullptr) outer_->scope_.reset();
  Start();
}

LimitedScope::~LimitedScope() {
  if (!watched_.watchdog) return;
  scope_.reset();
  innermost = outer_;
  if (outer_ != nullptr) outer_->Start();
}

void LimitedScope::Enter(std::string_view announced) {
  if (!watched_.watchdog) return;
  scope_.reset();
  phase_ = PhaseCalled(announced);
  Start();
}

void LimitedScope::Start() {
  if (!phase_) return;
  const std::chrono::duration<double> limit(watched_.session->settings().call_timeout);
  scope_.emplace(*watched_.watchdog, std::chrono::duration_cast<Watchdog::Clock::duration>(limit),
                 [this] { ReportOverdue(watched_, inputs_, run_, *phase_); });
}

}  // namespace culprit::watch
