// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_compiled.h"

#include <culprit/errors.h>
#include <fmt/format.h>

#include <algorithm>

#include "backend/failure/normalize_message.h"
#include "backend/one_at_a_time.h"
#include "check/model/thrown.h"
#include "check/run/run_model.h"
#include "check/run/synchronize.h"
#include "check/verdict/sign.h"
#include "watch/notice/throw_failure.h"
#include "watch/notice/thrown_now.h"
#include "watch/numbers_check.h"
#include "watch/overdue.h"
#include "watch/reference.h"
#include "watch/session/not_watched.h"
#include "watch/subject/kept_inputs.h"

namespace culprit::watch {
namespace {

using backend::Values;
using Interruption = std::optional<graph::Interruption>;

bool RequiresGradient(const Values& outputs) {
  return std::ranges::any_of(outputs, [](const c10::IValue& output) {
    return output.isTensor() && output.toTensor().defined() && output.toTensor().requires_grad();
  });
}

bool IsOnAccelerator(const c10::IValue& value) {
  check::Devices devices;
  check::AddAccelerators(value, devices);
  return !devices.empty();
}

/// Compilers put words of their own around a message.
bool IsMessageOf(const check::RunFailure& graph, const check::RunFailure& compiled) {
  const std::string expected = backend::NormalizeMessage(graph.message);
  const std::string met = backend::NormalizeMessage(compiled.message);
  return expected.empty() ? met.empty() : met.find(expected) != std::string::npos;
}

/// What is wrong with the numbers of a call.
struct Wrong {
  check::CheckResult result;
  backend::FailureSignature signature;
};

/// A compiler that writes into what it may only read.
Wrong WrittenInput(size_t input) {
  return {{},
          {.phase = backend::FailurePhase::kCompare,
           .kind = backend::FailureKind::kMutatedInput,
           .call = 1,
           .guilty_output = fmt::format("inputs[{}]", input)}};
}

/// One call, from the beginning to the end.
class WatchedCall {
 public:
  WatchedCall(const GraphWatch& watched, backend::Compiled& compiled, const Values& inputs,
              bool checks_numbers)
      : watched_(watched),
        subject_(*watched.subject),
        session_(*watched.session),
        compiled_(compiled),
        kept_(inputs, subject_.written),
        run_(subject_.draws_random ? repro::CurrentRunSettings() : repro::CurrentModes()) {
    if (checks_numbers) numbers_.emplace(subject_, kept_);
  }

  Values Run(Values& inputs, Interruption& interruption) {
    Values outputs;
    try {
      outputs = RunCompiled(inputs, interruption);
    } catch (...) {
      const ThrownNow now = DescribeThrown(check::Phase::kForward);
      // Whatever else goes wrong because of it is no failure of what runs next.
      if (watched_.uses_accelerator) check::CatchThrown([&] { Wait({}); });
      const bool is_reported =
          IsReportWaiting() || (now.is_failure && !session_.reports_failures_from_below(subject_.point));
      if (now.is_internal || is_reported || GraphFailsToo(now)) throw;
      const Notice report = ReportFailure(SignatureOf(now.failure), false, now.is_failure);
      if (!runs_as_written_) ThrowFailure(session_.backend(), now.failure, report, watched_.is_active);
      interruption.reset();
    }
    // What the program throws now has nothing to do with what was caught.
    if (runs_as_written_) return RunAsWritten(interruption);
    return Checked(std::move(outputs), interruption);
  }

 private:
  Values RunCompiled(Values& inputs, Interruption& interruption) {
    const RecordedScope recorded(watched_, kept_.values(), run_);
    const LimitedScope limited(watched_, kept_.values(), run_, backend::FailurePhase::kCall);
    Values given = std::move(inputs);
    inputs.clear();
    Values outputs = compiled_.CallReporting(given, interruption);
    if (watched_.uses_accelerator || std::ranges::any_of(outputs, IsOnAccelerator)) Wait(outputs);
    return outputs;
  }

  void Wait(const Values& outputs) const {
    check::Devices devices = check::AcceleratorsOf(kept_.values());
    devices.merge(check::AcceleratorsOf(outputs));
    check::Synchronize(devices);
  }

  /// In the same way: what the program does by itself is no failure of a compiler.
  bool GraphFailsToo(const ThrownNow& now) const {
    if (now.failure.phase == check::Phase::kCompile) return false;
    const CheckScope scope;
    const check::RunOptions options{.settings = run_, .only_forward = true};
    const check::RunEnd outcome =
        check::RunModel(*ReferenceOf(subject_, kept_.values()), kept_.values(), options);
    if (outcome.ok()) return false;
    // Where nothing runs since the call, the graph does not either, unless it did not before.
    if (watched_.uses_accelerator && !check::CanCompute(check::AcceleratorsOf(kept_.values())))
      return numbers_ && !numbers_->graph_runs();
    return IsMessageOf(*outcome.failure, now.failure);
  }

  Notice ReportFailure(backend::FailureSignature signature, bool is_about_numbers, bool is_counted = false) {
    const Evidence evidence{.inputs = kept_.values(),
                            .run = run_,
                            .signature = std::move(signature),
                            .is_about_numbers = is_about_numbers,
                            .is_counted = is_counted,
                            .spoilt = Spoilt()};
    runs_as_written_ = session_.suppresses() && evidence.spoilt.empty() && kept_.CanBeRestored();
    return session_.ReportFailure(subject_, evidence, watched_.is_active);
  }

  std::vector<size_t> Spoilt() const { return numbers_ ? numbers_->Spoilt() : kept_.Spoilt(); }

  Values RunAsWritten(Interruption& interruption) const {
    if (!IsInCheck()) ++session_.counters().suppressed;
    kept_.Restore();
    if (subject_.draws_random) repro::SetGenerator(run_);
    Values inputs = kept_.values();
    for (const KeptInputs::Copied& copied : kept_.copied()) inputs[copied.input] = copied.original;
    return subject_.RunAsWritten(std::move(inputs), &interruption);
  }

  Values Checked(Values outputs, Interruption& interruption) {
    if (!numbers_) return outputs;
    if (!IsInCheck()) ++session_.counters().checked;
    const std::optional<Wrong> wrong = CheckOrWarn(outputs);
    if (!wrong) return outputs;
    const std::optional<check::RunFailure>& thrown = wrong->result.failure;
    const Notice report = ReportFailure(wrong->signature, !thrown);
    if (runs_as_written_) return RunAsWritten(interruption);
    if (thrown) ThrowFailure(session_.backend(), *thrown, report, watched_.is_active);
    ThrowInaccurate(wrong->result, report, watched_.is_active);
  }

  /// A check that goes wrong is no reason for the program to stop.
  std::optional<Wrong> CheckOrWarn(const Values& outputs) const {
    try {
      return CheckNumbers(outputs);
    } catch (const std::exception& error) {
      if (dynamic_cast<const Failure*>(&error) != nullptr || IsReportWaiting()) {
        // Reported at the lower point, by a call of the check.
        ++session_.counters().failures;
        throw;
      }
      session_.WarnUndecided(subject_.graph.name(), error.what());
      return std::nullopt;
    }
  }

  std::optional<Wrong> CheckNumbers(const Values& outputs) const {
    const std::vector<size_t> spoilt = numbers_->Spoilt();
    if (!spoilt.empty() && numbers_->Writes(compiled_, spoilt[0])) return WrittenInput(spoilt[0]);
    // Nobody can tell what somebody else's numbers have done.
    if (!spoilt.empty()) return std::nullopt;
    std::optional<check::CheckResult> result = numbers_->Compare(outputs, run_);
    const bool has_gradients = run_.grad && !run_.inference;
    if (!result && has_gradients && RequiresGradient(outputs)) result = CheckGradients();
    return result ? WrongIn(*std::move(result)) : std::nullopt;
  }

  std::optional<Wrong> WrongIn(check::CheckResult result) const {
    if (result.status == check::CheckStatus::kDifferent)
      return Wrong{result, *check::SignCheck(result).failure};
    if (result.status != check::CheckStatus::kCandidateFailed) {
      session_.WarnUndecided(subject_.graph.name(), result.message);
      return std::nullopt;
    }
    const auto [now, signature] = DescribeMet(*result.failure);
    result.failure = now.failure;
    return Wrong{std::move(result), signature};
  }

  std::optional<check::CheckResult> CheckGradients() const {
    // Where both points are watched, what shows at the lower one is told there.
    const CheckScope scope(session_.watches_both());
    const ReportsOfBackward reports;
    LimitedScope limited(watched_, kept_.values(), run_);
    return numbers_->CompareGradients(compiled_, run_, [&](std::string_view phase) { limited.Enter(phase); });
  }

  const GraphWatch& watched_;
  const WatchedGraph& subject_;
  WatchSession& session_;
  backend::Compiled& compiled_;
  const KeptInputs kept_;
  const repro::RunSettings run_;
  std::optional<NumbersCheck> numbers_;
  bool runs_as_written_ = false;
};

class WatchedCompiled : public backend::Compiled {
 public:
  WatchedCompiled(std::unique_ptr<backend::Compiled> compiled, GraphWatch watched)
      : is_thread_safe_(compiled->is_thread_safe() ||
                        std::ranges::find(watched.subject->written, true) == watched.subject->written.end()),
        compiled_(backend::OneAtATime(std::move(compiled))),
        watched_(std::move(watched)) {}

  Values Call(Values& inputs) override {
    Interruption nobody_asks;
    return CallReporting(inputs, nobody_asks);
  }

  Values CallReporting(Values& inputs, Interruption& interruption) override {
    if (IsNotWatched()) return compiled_->CallReporting(inputs, interruption);
    // What was begun before and fails late is the program's own.
    if (watched_.uses_accelerator) check::Synchronize(check::AcceleratorsOf(inputs));
    std::optional<WatchedCall> call;
    try {
      call.emplace(watched_, *compiled_, inputs, IsDue());
    } catch (const std::exception& error) {
      watched_.session->Warn(
          fmt::format("a call of {} is not watched: {}", watched_.subject->graph.name(), error.what()));
    }
    return call ? call->Run(inputs, interruption) : compiled_->CallReporting(inputs, interruption);
  }

  bool is_thread_safe() const override { return is_thread_safe_; }

 private:
  bool IsDue() {
    if (!watched_.is_judged) return false;
    return calls_++ % static_cast<uint64_t>(watched_.session->settings().check_every) == 0;
  }

  /// Who waits for a check must not keep others from what the check calls, so that calls of a compiler which
  /// takes one at a time wait for each other in here; but what one call writes is not to be seen by another
  /// while that is watched.
  const bool is_thread_safe_;
  const std::unique_ptr<backend::Compiled> compiled_;
  const GraphWatch watched_;
  std::atomic<uint64_t> calls_ = 0;
};

/// In the place of what could not be compiled.
class AsWritten : public backend::Compiled {
 public:
  explicit AsWritten(GraphWatch watched) : watched_(std::move(watched)) {}

  Values Call(Values& inputs) override {
    Interruption nobody_asks;
    return CallReporting(inputs, nobody_asks);
  }
  Values CallReporting(Values& inputs, Interruption& interruption) override {
    if (!IsInCheck()) ++watched_.session->counters().suppressed;
    return watched_.subject->RunAsWritten(std::move(inputs), &interruption);
  }
  bool is_thread_safe() const override { return true; }

 private:
  const GraphWatch watched_;
};

}  // namespace

std::unique_ptr<backend::Compiled> Watch(std::unique_ptr<backend::Compiled> compiled, GraphWatch watched) {
  if (!compiled) return std::make_unique<AsWritten>(std::move(watched));
  return std::make_unique<WatchedCompiled>(std::move(compiled), std::move(watched));
}

}  // namespace culprit::watch
