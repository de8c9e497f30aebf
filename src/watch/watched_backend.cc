// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_backend.h"

#include <fmt/format.h>

#include "base/internal_error.h"
#include "check/query.h"
#include "check/sign.h"
#include "check/synchronize.h"
#include "watch/off.h"
#include "watch/overdue.h"
#include "watch/throw_failure.h"
#include "watch/thrown_now.h"
#include "watch/watched_compiled.h"

namespace culprit::watch {
namespace {

using backend::Values;

/// Of verify_correctness, as PyTorch has it.
constexpr double kVerifyTolerance = 1e-4;

bool UsesAccelerator(const Values& inputs) {
  check::Devices devices;
  for (const c10::IValue& input : inputs) check::AddAccelerators(input, devices);
  return !devices.empty();
}

/// As a check announces it (check/run_model.h).
backend::FailurePhase PhaseCalled(std::string_view announced) {
  if (announced == "compile") return backend::FailurePhase::kCompile;
  return announced.starts_with("backward") ? backend::FailurePhase::kBackward : backend::FailurePhase::kCall;
}

class WatchedBackend : public backend::Backend {
 public:
  WatchedBackend(std::unique_ptr<backend::Backend> inner, Point point, std::shared_ptr<Session> session)
      : inner_(std::move(inner)),
        point_(point),
        session_(std::move(session)),
        is_active_(session_->watches(point)) {
    if (session_->level() > 0 && session_->settings().call_timeout > 0) watchdog_ = Watchdog::Shared();
  }

  backend::Parameters parameters() const override { return inner_->parameters(); }
  bool gives_gradients() const override { return inner_->gives_gradients(); }
  bool takes_symbols() const override { return inner_->takes_symbols(); }
  int calls() const override { return inner_->calls(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    const bool is_watched = is_active_ || session_->suppresses();
    // What is compiled during a check, as a backward graph is, may be the program's own.
    if (IsOff() && !is_watched) return inner_->Compile(std::move(graph), inputs);
    if (IsOff()) {
      Watched watched = Prepare(graph, inputs);
      return Watch(inner_->Compile(std::move(graph), inputs), std::move(watched));
    }
    if (!is_watched && !ChecksAtCompile()) return CompileUnwatched(std::move(graph), inputs);
    Watched watched = Prepare(graph, inputs);
    std::unique_ptr<backend::Compiled> compiled = CompileOrReport(std::move(graph), inputs, watched);
    if (compiled && ChecksAtCompile() && !Check(watched, inputs)) compiled = nullptr;
    if (compiled && !is_watched) return compiled;
    return Watch(std::move(compiled), std::move(watched));
  }

 private:
  /// That it was the compiler which failed is told all the same.
  std::unique_ptr<backend::Compiled> CompileUnwatched(graph::Graph graph, const Values& inputs) const {
    const std::string name = graph.name();
    try {
      return inner_->Compile(std::move(graph), inputs);
    } catch (...) {
      const ThrownNow now = DescribeThrown(check::Phase::kCompile);
      if (now.is_internal || now.is_failure) throw;
      ++session_->counters().failures;
      const Report report{name, SignatureOf(now.failure).ToString(), ""};
      ThrowFailure(session_->header(point_).backend, now.failure, report, false);
    }
  }

  Watched Prepare(const graph::Graph& graph, const Values& inputs) const {
    Watched watched{.session = session_,
                    .subject = std::make_shared<const Subject>(graph, point_, session_->header(point_)),
                    .is_active = is_active_};
    if (!is_active_) return watched;
    watched.uses_accelerator = UsesAccelerator(inputs);
    // Where both points are watched, the lower one is enough for what never comes back.
    if (session_->watches_both() && point_ == Point::kCapture) return watched;
    watched.watchdog = watchdog_;
    if (session_->level() == 3) watched.record = MakeRecord(graph.name());
    return watched;
  }

  std::shared_ptr<CrashRecord> MakeRecord(const std::string& name) const {
    const base::Settings& settings = session_->settings();
    base::Result<std::unique_ptr<CrashRecord>> record =
        CrashRecord::Create(settings.directory, name, static_cast<uint64_t>(settings.store_limit) << 20);
    if (record.ok()) return *std::move(record);
    session_->WarnUnwritable(record.error());
    return nullptr;
  }

  /// Null if it fails and the program is to run as written.
  std::unique_ptr<backend::Compiled> CompileOrReport(graph::Graph graph, const Values& inputs,
                                                     const Watched& watched) {
    const repro::RunSettings run = repro::CurrentRunSettings();
    try {
      const RecordedScope recorded(watched, inputs, run);
      const LimitedScope limited(watched, inputs, run, backend::FailurePhase::kCompile);
      return inner_->Compile(std::move(graph), inputs);
    } catch (...) {
      const ThrownNow now = DescribeThrown(check::Phase::kCompile);
      if (now.is_internal || (now.is_failure && !session_->reports_failures_from_below(point_))) throw;
      Fail(now.failure, watched, inputs, now.is_failure);
    }
    return nullptr;
  }

  /// Returns if errors are suppressed.
  void Fail(const check::Failure& failure, const Watched& watched, const Values& inputs,
            bool is_counted = false) const {
    const Evidence evidence{.inputs = inputs,
                            .run = repro::CurrentRunSettings(),
                            .signature = SignatureOf(failure),
                            .is_counted = is_counted};
    const Report report = session_->ReportFailure(*watched.subject, evidence, is_active_);
    if (!session_->suppresses()) ThrowFailure(watched.subject->header.backend, failure, report, is_active_);
  }

  bool ChecksAtCompile() const {
    if (point_ != Point::kCapture) return false;
    return session_->settings().verify_correctness || (is_active_ && !session_->watches_both());
  }

  check::CheckResult RunQuery(const repro::Repro& repro, const Watched& watched, const Values& inputs) const {
    const CheckScope scope;
    const RecordedScope recorded(watched, inputs, repro.header.run);
    LimitedScope limited(watched, inputs, repro.header.run, backend::FailurePhase::kCall);
    try {
      return check::RunQuery(repro, *inner_,
                             [&](std::string_view phase) { limited.Enter(PhaseCalled(phase)); });
    } catch (const base::InternalError& error) {
      session_->Warn(fmt::format("{} cannot be checked: {}", repro.graph.name(), error.what()));
      return {};
    }
  }

  /// Compiles it once more, and runs it forward and backward on clones, as a query does. Whether it can be
  /// used.
  bool Check(const Watched& watched, const Values& inputs) const {
    const Off off;
    const bool verifies = session_->settings().verify_correctness;
    repro::Repro repro =
        ReproOf(*watched.subject, inputs, repro::CurrentRunSettings(), verifies || session_->level() >= 4);
    if (verifies) repro.header.compare.tolerance = kVerifyTolerance;
    const check::CheckResult result = RunQuery(repro, watched, inputs);
    if (result.status == check::CheckStatus::kCandidateFailed) {
      Fail(*result.failure, watched, inputs);
      return false;
    }
    if (result.status != check::CheckStatus::kDifferent) return true;
    const Evidence evidence{.inputs = inputs,
                            .run = repro.header.run,
                            .signature = *check::SignCheck(result).failure,
                            .is_about_numbers = true,
                            .tolerance = repro.header.compare.tolerance};
    const bool is_watched = session_->level() > 0;
    const Report report = session_->ReportFailure(*watched.subject, evidence, is_watched);
    if (!session_->suppresses()) ThrowInaccurate(result, report, is_watched);
    return false;
  }

  const std::unique_ptr<backend::Backend> inner_;
  const Point point_;
  const std::shared_ptr<Session> session_;
  const bool is_active_;
  std::shared_ptr<Watchdog> watchdog_;
};

}  // namespace

std::unique_ptr<backend::Backend> Watch(std::unique_ptr<backend::Backend> compiler, Point point,
                                        std::shared_ptr<Session> session) {
  return std::make_unique<WatchedBackend>(std::move(compiler), point, std::move(session));
}

}  // namespace culprit::watch
