// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_backend.h"

#include <algorithm>

#include "base/internal_error.h"
#include "check/query/query.h"
#include "check/run/synchronize.h"
#include "check/verdict/sign.h"
#include "graph/fake/world.h"
#include "watch/notice/fails_at_first_call.h"
#include "watch/notice/throw_failure.h"
#include "watch/notice/thrown_now.h"
#include "watch/overdue.h"
#include "watch/reference.h"
#include "watch/session/not_watched.h"
#include "watch/watched_compiled.h"

namespace culprit::watch {
namespace {

using backend::Values;

bool HasNoNumbers(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && graph::fake::World::IsFake(value.toTensor());
}

/// Of verify_correctness, as PyTorch has it.
constexpr double kVerifyTolerance = 1e-4;

class WatchedBackend : public backend::Backend {
 public:
  WatchedBackend(std::unique_ptr<backend::Backend> inner, Point point, std::shared_ptr<WatchSession> session,
                 std::shared_ptr<backend::Compiled> original)
      : inner_(std::move(inner)),
        point_(point),
        session_(std::move(session)),
        original_(std::move(original)),
        is_active_(session_->watches(point)) {
    if (session_->level() > 0 && session_->settings().call_timeout > 0) watchdog_ = Watchdog::Shared();
  }

  backend::Parameters parameters() const override { return inner_->parameters(); }
  bool gives_gradients() const override { return inner_->gives_gradients(); }
  bool takes_symbols() const override { return inner_->takes_symbols(); }
  bool draws_as_eager() const override { return inner_->draws_as_eager(); }
  std::unique_ptr<backend::Backend> EagerElsewhere() const override { return inner_->EagerElsewhere(); }
  int calls() const override { return inner_->calls(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    const bool is_watched = is_active_ || session_->suppresses();
    // What is compiled during a check, as a backward graph is, may be the program's own.
    if (IsNotWatched() && is_watched) {
      GraphWatch watched = Prepare(graph, inputs);
      return Watch(CompileUnwatched(std::move(graph), inputs), std::move(watched));
    }
    const bool checks = ChecksAtCompile() && std::ranges::none_of(inputs, HasNoNumbers);
    if (IsNotWatched() || (!is_watched && !checks)) return CompileUnwatched(std::move(graph), inputs);
    GraphWatch watched = Prepare(graph, inputs);
    // What was begun before and fails late is the program's own.
    if (watched.uses_accelerator) check::Synchronize(check::AcceleratorsOf(inputs));
    const Checked checked = checks ? Check(watched, inputs) : Checked();
    std::unique_ptr<backend::Compiled> compiled =
        checked.is_usable ? CompileOrReport(std::move(graph), inputs, watched) : nullptr;
    if (!compiled || is_watched) compiled = Watch(std::move(compiled), std::move(watched));
    return checked.thrown ? FailsAtFirstCall(std::move(compiled), *checked.thrown) : std::move(compiled);
  }

 private:
  struct Checked {
    /// Otherwise the program runs as written.
    bool is_usable = true;
    std::optional<ThrownAtFirstCall> thrown = std::nullopt;
  };

  /// That it was the compiler which failed is told all the same.
  std::unique_ptr<backend::Compiled> CompileUnwatched(graph::Graph graph, const Values& inputs) const {
    const std::string name = graph.name();
    try {
      return inner_->Compile(std::move(graph), inputs);
    } catch (...) {
      const ThrownNow now = DescribeThrown(check::Phase::kCompile);
      if (now.is_internal || now.is_failure) throw;
      if (!IsInCheck()) ++session_->counters().failures;
      const Notice report{name, SignatureOf(now.failure).ToString(), ""};
      ThrowFailure(session_->backend(), now.failure, report, false);
    }
  }

  GraphWatch Prepare(const graph::Graph& graph, const Values& inputs) const {
    GraphWatch watched{
        .session = session_,
        .subject = std::make_shared<const WatchedGraph>(graph, point_, session_->header(point_), original_),
        .is_active = is_active_,
        .uses_accelerator = !check::AcceleratorsOf(inputs).empty()};
    if (!is_active_) return watched;
    // Where both points see the same graph, the lower one is enough for what never comes back.
    if (point_ == Point::kCapture && session_->watches_both() && !session_->splits_graphs()) return watched;
    watched.watchdog = watchdog_;
    watched.is_judged = session_->level() >= 4;
    if (watched.is_judged && watched.subject->draws_random && !inner_->draws_as_eager()) {
      session_->WarnUndecided(graph.name(),
                              "it draws random numbers, and the compiler does not draw those of eager");
      watched.is_judged = false;
    }
    if (session_->level() == 3) watched.record = MakeRecord(graph.name());
    return watched;
  }

  std::shared_ptr<CrashRecord> MakeRecord(const std::string& name) const {
    const base::Settings& settings = session_->settings();
    base::Result<std::unique_ptr<CrashRecord>> record = CrashRecord::Create(
        settings.directory, session_->FolderName(name), static_cast<uint64_t>(settings.store_limit) << 20);
    if (record.ok()) return *std::move(record);
    session_->WarnUnwritable(record.error());
    return nullptr;
  }

  /// Null if it fails and the program is to run as written.
  std::unique_ptr<backend::Compiled> CompileOrReport(graph::Graph graph, const Values& inputs,
                                                     const GraphWatch& watched) {
    const repro::RunSettings run = repro::CurrentRunSettings();
    try {
      const RecordedScope recorded(watched, inputs, run);
      const LimitedScope limited(watched, inputs, run, backend::FailurePhase::kCompile);
      std::unique_ptr<backend::Compiled> compiled = inner_->Compile(std::move(graph), inputs);
      if (watched.uses_accelerator) check::Synchronize(check::AcceleratorsOf(inputs));
      return compiled;
    } catch (...) {
      const ThrownNow now = DescribeThrown(check::Phase::kCompile);
      if (now.is_internal || (now.is_failure && !session_->reports_failures_from_below(point_))) throw;
      Fail(now.failure, watched, inputs, now.is_failure);
    }
    return nullptr;
  }

  Notice ReportFailure(backend::FailureSignature signature, const GraphWatch& watched, const Values& inputs,
                       bool is_counted) const {
    const Evidence evidence{.inputs = inputs,
                            .run = repro::CurrentRunSettings(),
                            .signature = std::move(signature),
                            .is_counted = is_counted};
    return session_->ReportFailure(*watched.subject, evidence, is_active_);
  }

  /// Returns if errors are suppressed.
  void Fail(const check::RunFailure& failure, const GraphWatch& watched, const Values& inputs,
            bool is_counted) const {
    const Notice report = ReportFailure(SignatureOf(failure), watched, inputs, is_counted);
    if (!session_->suppresses()) ThrowFailure(session_->backend(), failure, report, is_active_);
  }

  bool ChecksAtCompile() const {
    return point_ == Point::kCapture && (session_->settings().verify_correctness || is_active_);
  }

  check::CheckResult RunQuery(const repro::Repro& repro, const GraphWatch& watched,
                              const Values& inputs) const {
    // Where both points are watched, what shows at the lower one is told there.
    const CheckScope scope(session_->watches_both());
    const ReportsOfBackward reports;
    const RecordedScope recorded(watched, inputs, repro.header.run);
    LimitedScope limited(watched, inputs, repro.header.run);
    try {
      const auto announce = [&](std::string_view phase) { limited.Enter(phase); };
      if (!original_) return check::RunQuery(repro, *inner_, announce);
      return check::RunQuery(repro, *ReferenceOf(*watched.subject, inputs), *inner_, announce);
    } catch (const base::InternalError& error) {
      session_->WarnUndecided(repro.graph.name(), error.what());
      return {};
    }
  }

  /// What a call of the check has thrown is thrown by the program's call, everything else now.
  Checked FailCheck(const check::RunFailure& met, const GraphWatch& watched, const Values& inputs) const {
    const bool is_call = met.phase == check::Phase::kForward || met.phase == check::Phase::kSynchronize;
    const auto [now, signature] = DescribeMet(met);
    if (session_->watches_both() && (now.is_failure || IsReportWaiting())) {
      ++session_->counters().failures;
      if (now.is_failure || !is_call) std::rethrow_exception(met.exception);
      return {.thrown = ThrownAtFirstCall{met.exception, TakeWaitingReport()}};
    }
    const Notice report = ReportFailure(signature, watched, inputs, false);
    if (session_->suppresses()) return {.is_usable = false};
    if (now.failure.phase == check::Phase::kCompile || !is_call)
      ThrowFailure(session_->backend(), now.failure, report, is_active_);
    return {.thrown = ThrownAtFirstCall{met.exception, is_active_ ? std::optional(report) : std::nullopt}};
  }

  /// Compiles it once more, and runs it forward and backward on clones, as a query does.
  Checked Check(const GraphWatch& watched, const Values& inputs) const {
    const bool verifies = session_->settings().verify_correctness;
    repro::Repro repro =
        ReproOf(*watched.subject, inputs, repro::CurrentRunSettings(), verifies || session_->level() >= 4);
    if (verifies) repro.header.compare.tolerance = kVerifyTolerance;
    const check::CheckResult result = RunQuery(repro, watched, inputs);
    if (result.status == check::CheckStatus::kCandidateFailed)
      return FailCheck(*result.failure, watched, inputs);
    // What the program cannot do by itself it says itself.
    if (result.status != check::CheckStatus::kDifferent) {
      const bool is_decided =
          result.status == check::CheckStatus::kSame || result.status == check::CheckStatus::kReferenceFailed;
      if (!is_decided) session_->WarnUndecided(repro.graph.name(), result.message);
      return {};
    }
    const Evidence evidence{.inputs = inputs,
                            .run = repro.header.run,
                            .signature = *check::SignCheck(result).failure,
                            .is_about_numbers = true,
                            .tolerance = repro.header.compare.tolerance};
    const bool is_watched = session_->level() > 0;
    const Notice report = session_->ReportFailure(*watched.subject, evidence, is_watched);
    if (!session_->suppresses()) ThrowInaccurate(result, report, is_watched);
    return {.is_usable = false};
  }

  const std::unique_ptr<backend::Backend> inner_;
  const Point point_;
  const std::shared_ptr<WatchSession> session_;
  const std::shared_ptr<backend::Compiled> original_;
  const bool is_active_;
  std::shared_ptr<Watchdog> watchdog_;
};

}  // namespace

std::unique_ptr<backend::Backend> Watch(std::unique_ptr<backend::Backend> compiler, Point point,
                                        std::shared_ptr<WatchSession> session,
                                        std::shared_ptr<backend::Compiled> original) {
  return std::make_unique<WatchedBackend>(std::move(compiler), point, std::move(session),
                                          std::move(original));
}

}  // namespace culprit::watch
