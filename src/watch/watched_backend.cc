// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_backend.h"

#include <filesystem>

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
  int calls() const override { return inner_->calls(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    if (IsOff()) return inner_->Compile(std::move(graph), inputs);
    Watched watched = Prepare(graph, inputs);
    std::unique_ptr<backend::Compiled> compiled = CompileOrReport(std::move(graph), inputs, watched);
    if (compiled && ChecksAtCompile() && !Check(watched, inputs)) compiled = nullptr;
    if (compiled && !is_active_ && !session_->suppresses()) return compiled;
    return Watch(std::move(compiled), std::move(watched));
  }

 private:
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
        CrashRecord::Create(std::filesystem::absolute(settings.directory), name,
                            static_cast<uint64_t>(settings.store_limit) << 20);
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
      if (now.is_internal || now.is_reported) throw;
      Fail(now.failure, watched, inputs);
    }
    return nullptr;
  }

  /// Returns if errors are suppressed.
  void Fail(const check::Failure& failure, const Watched& watched, const Values& inputs) const {
    const Evidence evidence{
        .inputs = inputs, .run = repro::CurrentRunSettings(), .signature = SignatureOf(failure)};
    const Report report = session_->ReportFailure(*watched.subject, evidence, is_active_);
    if (!session_->suppresses()) ThrowFailure(*watched.subject, failure, report, is_active_);
  }

  bool ChecksAtCompile() const {
    if (point_ != Point::kCapture) return false;
    return session_->settings().verify_correctness || (is_active_ && !session_->watches_both());
  }

  /// Compiles it once more, and runs it forward and backward on clones, as a query does. Whether it can be
  /// used.
  bool Check(const Watched& watched, const Values& inputs) const {
    const Off off;
    const bool verifies = session_->settings().verify_correctness;
    repro::Repro repro =
        ReproOf(*watched.subject, inputs, repro::CurrentRunSettings(), verifies || session_->level() >= 4);
    if (verifies) repro.header.compare.tolerance = kVerifyTolerance;
    const check::CheckResult result = [&] {
      const CheckScope scope;
      const RecordedScope recorded(watched, inputs, repro.header.run);
      const LimitedScope limited(watched, inputs, repro.header.run, backend::FailurePhase::kCall);
      return check::RunQuery(repro, *inner_);
    }();
    if (result.status == check::CheckStatus::kCandidateFailed) {
      Fail(*result.failure, watched, inputs);
      return false;
    }
    if (result.status != check::CheckStatus::kDifferent) return true;
    const Evidence evidence{.inputs = inputs,
                            .run = repro.header.run,
                            .signature = *check::SignCheck(result).failure,
                            .is_about_numbers = true};
    const Report report = session_->ReportFailure(*watched.subject, evidence, is_active_);
    if (!session_->suppresses()) ThrowInaccurate(result, report, is_active_);
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
