// SPDX-License-Identifier: Apache-2.0
#include "watch/overdue.h"

#include <fmt/format.h>
#include <unistd.h>

#include "check/stamp.h"
#include "isolate/thread_stacks.h"
#include "watch/off.h"

namespace culprit::watch {
namespace {

void ReportOverdue(const Watched& watched, const backend::Values& inputs, const repro::RunSettings& run,
                   backend::FailurePhase phase) {
  Session& session = *watched.session;
  const Evidence evidence{
      .inputs = inputs,
      .run = run,
      .signature = {.phase = phase,
                    .kind = backend::FailureKind::kTimeout,
                    .call = phase == backend::FailurePhase::kCall ? 1 : 0},
      .stacks = isolate::ToText(isolate::StacksOfAllThreads()),
  };
  const Report report = session.ReportFailure(*watched.subject, evidence, true);
  session.Warn(fmt::format("{} has not come back after {} s\n{}",
                           phase == backend::FailurePhase::kCompile ? "a compilation" : "a call",
                           session.settings().call_timeout, report.Lines()));
  if (session.settings().on_timeout == "end") _exit(kTimeoutExitCode);
}

}  // namespace

RecordedScope::RecordedScope(const Watched& watched, const backend::Values& inputs,
                             const repro::RunSettings& run) {
  if (!watched.record) return;
  try {
    const Off off;
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

LimitedScope::LimitedScope(const Watched& watched, const backend::Values& inputs,
                           const repro::RunSettings& run, backend::FailurePhase phase) {
  if (!watched.watchdog) return;
  const std::chrono::duration<double> limit(watched.session->settings().call_timeout);
  scope_.emplace(*watched.watchdog, std::chrono::duration_cast<Watchdog::Clock::duration>(limit),
                 [&watched, &inputs, &run, phase] { ReportOverdue(watched, inputs, run, phase); });
}

}  // namespace culprit::watch
