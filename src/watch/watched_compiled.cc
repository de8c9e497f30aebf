// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_compiled.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/graph_model.h"
#include "check/run_model.h"
#include "check/sign.h"
#include "check/synchronize.h"
#include "watch/kept_inputs.h"
#include "watch/numbers_check.h"
#include "watch/off.h"
#include "watch/overdue.h"
#include "watch/throw_failure.h"
#include "watch/thrown_now.h"

namespace culprit::watch {
namespace {

using backend::Values;
using Interruption = std::optional<graph::Interruption>;

bool RequiresGradient(const Values& outputs) {
  return std::ranges::any_of(outputs, [](const c10::IValue& output) {
    return output.isTensor() && output.toTensor().defined() && output.toTensor().requires_grad();
  });
}

/// A compiler that writes into what it may only read.
backend::FailureSignature WrittenInput(size_t input) {
  return {.phase = backend::FailurePhase::kCompare,
          .kind = backend::FailureKind::kMutatedInput,
          .call = 1,
          .guilty_output = fmt::format("inputs[{}]", input)};
}

/// One call, from the beginning to the end.
class WatchedCall {
 public:
  WatchedCall(const Watched& watched, backend::Compiled& compiled, const Values& inputs, bool checks_numbers)
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
      // Reported below, or to be reported by nobody.
      if (now.is_internal || now.is_reported || IsReportWaiting() || GraphFailsToo(now)) throw;
      const Report report = ReportFailure(SignatureOf(now.failure), false);
      if (!session_.suppresses()) ThrowFailure(subject_, now.failure, report, watched_.is_active);
      interruption.reset();
    }
    // What follows runs operators, which must not happen in a handler.
    if (was_suppressed_) return RunAsWritten(interruption);
    return Checked(std::move(outputs), interruption);
  }

 private:
  Values RunCompiled(Values& inputs, Interruption& interruption) {
    const RecordedScope recorded(watched_, kept_.values(), run_);
    const LimitedScope limited(watched_, kept_.values(), run_, backend::FailurePhase::kCall);
    Values given = std::move(inputs);
    inputs.clear();
    Values outputs = compiled_.CallReporting(given, interruption);
    if (watched_.uses_accelerator) Wait(outputs);
    return outputs;
  }

  void Wait(const Values& outputs) const {
    check::Devices devices;
    for (const c10::IValue& output : outputs) check::AddAccelerators(output, devices);
    for (const c10::IValue& input : kept_.values()) check::AddAccelerators(input, devices);
    check::Synchronize(devices);
  }

  /// What the program does by itself is no failure of a compiler.
  bool GraphFailsToo(const ThrownNow& now) const {
    if (now.failure.phase == check::Phase::kCompile) return false;
    const CheckScope scope;
    const check::RunOptions options{.settings = run_, .only_forward = true};
    return !check::RunModel(check::GraphModel(subject_.graph), kept_.values(), options).ok();
  }

  Report ReportFailure(backend::FailureSignature signature, bool is_about_numbers) {
    const Evidence evidence{.inputs = kept_.values(),
                            .run = run_,
                            .signature = std::move(signature),
                            .is_about_numbers = is_about_numbers,
                            .spoilt = kept_.Spoilt()};
    was_suppressed_ = session_.suppresses();
    return session_.ReportFailure(subject_, evidence, watched_.is_active);
  }

  Values RunAsWritten(Interruption& interruption) const {
    ++session_.counters().suppressed;
    kept_.Restore();
    Values inputs = kept_.values();
    for (const KeptInputs::Copied& copied : kept_.copied()) inputs[copied.input] = copied.original;
    return subject_.as_written.Run(std::move(inputs), nullptr, &interruption);
  }

  Values Checked(Values outputs, Interruption& interruption) {
    if (!numbers_) return outputs;
    ++session_.counters().checked;
    const std::vector<size_t> spoilt = numbers_->Spoilt();
    const auto result = spoilt.empty() ? CheckNumbers(outputs) : check::CheckResult{};
    if (!result) return outputs;
    const Report report =
        ReportFailure(spoilt.empty() ? *check::SignCheck(*result).failure : WrittenInput(spoilt[0]), true);
    if (was_suppressed_) return RunAsWritten(interruption);
    ThrowInaccurate(*result, report, watched_.is_active);
  }

  std::optional<check::CheckResult> CheckNumbers(const Values& outputs) const {
    std::optional<check::CheckResult> result = numbers_->Compare(outputs, run_);
    const bool has_gradients = subject_.point == Point::kCapture && run_.grad && !run_.inference;
    if (!result && has_gradients && RequiresGradient(outputs))
      result = numbers_->CompareGradients(compiled_, run_);
    return result;
  }

  const Watched& watched_;
  const Subject& subject_;
  Session& session_;
  backend::Compiled& compiled_;
  const KeptInputs kept_;
  const repro::RunSettings run_;
  std::optional<NumbersCheck> numbers_;
  bool was_suppressed_ = false;
};

class WatchedCompiled : public backend::Compiled {
 public:
  WatchedCompiled(std::unique_ptr<backend::Compiled> compiled, Watched watched)
      : compiled_(std::move(compiled)), watched_(std::move(watched)) {}

  Values Call(Values& inputs) override {
    Interruption nobody_asks;
    return CallReporting(inputs, nobody_asks);
  }

  Values CallReporting(Values& inputs, Interruption& interruption) override {
    if (IsOff()) return compiled_->CallReporting(inputs, interruption);
    return WatchedCall(watched_, *compiled_, inputs, IsDue()).Run(inputs, interruption);
  }

  bool is_thread_safe() const override { return compiled_->is_thread_safe(); }

 private:
  bool IsDue() {
    const Session& session = *watched_.session;
    if (!watched_.is_active || session.level() < 4) return false;
    return calls_++ % static_cast<uint64_t>(session.settings().check_every) == 0;
  }

  const std::unique_ptr<backend::Compiled> compiled_;
  const Watched watched_;
  std::atomic<uint64_t> calls_ = 0;
};

/// In the place of what could not be compiled.
class AsWritten : public backend::Compiled {
 public:
  explicit AsWritten(Watched watched) : watched_(std::move(watched)) {}

  Values Call(Values& inputs) override {
    Interruption nobody_asks;
    return CallReporting(inputs, nobody_asks);
  }
  Values CallReporting(Values& inputs, Interruption& interruption) override {
    ++watched_.session->counters().suppressed;
    return watched_.subject->as_written.Run(std::move(inputs), nullptr, &interruption);
  }
  bool is_thread_safe() const override { return true; }

 private:
  const Watched watched_;
};

}  // namespace

std::unique_ptr<backend::Compiled> Watch(std::unique_ptr<backend::Compiled> compiled, Watched watched) {
  if (!compiled) return std::make_unique<AsWritten>(std::move(watched));
  return std::make_unique<WatchedCompiled>(std::move(compiled), std::move(watched));
}

}  // namespace culprit::watch
