// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/same_two_models.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backend/refusal.h"
#include "base/text.h"
#include "check/memory/set_constants_apart.h"
#include "check/model/clone_inputs.h"
#include "check/model/thrown.h"
#include "check/run/run_in_fp64.h"
#include "check/verdict/reference_runs.h"
#include "check/verdict/varying_results.h"
#include "compare/compare.h"
#include "compare/noise.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;
using Tree = std::optional<c10::IValue>;

/// How often rounding is moved before an error is believed, and when no more is asked. More often where some
/// runs only show the noise, if that takes no more than so many numbers in all.
constexpr uint64_t kMostPatterns = 4;
constexpr double kFarBeyondNoise = 1000;
constexpr uint64_t kMostPatternsForKinks = 16;
constexpr size_t kMostNumbersForKinks = 400'000'000;

bool IsAboutFp64(const compare::Mismatch& mismatch) {
  return mismatch.kind == compare::MismatchKind::kFp64;
}

bool IsEqual(const compare::Output& output) {
  return output.rule == compare::Rule::kEqual;
}

std::set<std::string> Common(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(common, common.end()));
  return common;
}

class TwoModels {
 public:
  /// Without a candidate the reference is compared with itself in float64.
  TwoModels(const Model& reference, const Model* candidate, const Values& inputs, const CheckOptions& options)
      : reference_(reference),
        candidate_(candidate),
        inputs_(inputs),
        options_(options),
        runs_(reference, kept_inputs(), options.run, candidate != nullptr && reference.state().empty()),
        with_state_(!reference.state().empty() && (candidate == nullptr || !candidate->state().empty())) {}

  CheckResult Check() {
    const std::optional<std::string> thrown = MessageOfThrown([&] { KeepInputs(); });
    if (thrown) return FailedEager({Phase::kClone, *thrown});
    RunEnd eager = runs_.RunFirst();
    if (!eager.ok()) return FailedEager(*eager.failure);
    RunEnd repeated = runs_.RunAgain();
    if (!repeated.ok()) return FailedEager(*repeated.failure);
    runs_.RepeatCalls(eager.calls, repeated.calls);
    runs_.RepeatCalls(repeated.calls, eager.calls);
    SetConstantsApart(eager.calls, options_.frozen_inputs);
    SetConstantsApart(repeated.calls, options_.frozen_inputs);
    undefined_ =
        runs_.FindUndefined(AsTree(eager.calls, true), AsTree(repeated.calls, true), result_.warnings);
    result_.verdict =
        Compare(AsTree(eager.calls, true), AsTree(repeated.calls, true), std::nullopt, options_.compare);
    if (!result_.verdict.passes())
      return Ended(
          CheckStatus::kReferenceUnstable,
          fmt::format("eager itself differs between two runs{}",
                      runs_.has_unwritten_memory() ? ", since it reads memory that nobody wrote" : ""));
    // The same numbers twice need the memory of one.
    if (std::ranges::all_of(result_.verdict.outputs, IsEqual)) repeated = eager;
    return candidate_ == nullptr ? CheckFp64(eager, repeated) : CheckCandidate(eager, repeated);
  }

 private:
  CheckResult CheckCandidate(const RunEnd& eager, const RunEnd& repeated) {
    const c10::IValue tree = AsTree(eager.calls, with_state_);
    // What it leaves behind is gone before the noise is measured.
    if (std::optional<CheckResult> ended = CompareCandidate(eager, tree)) return *std::move(ended);
    return WithNoise(tree, AsTree(repeated.calls, with_state_), "the candidate differs from eager");
  }

  /// Gives the result if there is no verdict.
  std::optional<CheckResult> CompareCandidate(const RunEnd& eager, const c10::IValue& tree) {
    KeptModel kept;
    RunEnd outcome = RunModel(*candidate_, inputs_, options_.run, &kept);
    if (!outcome.ok()) {
      CheckResult failed = FailedCandidate(*outcome.failure);
      failed.warnings = std::move(result_.warnings);
      return failed;
    }
    result_.unwritten_inputs = Common(UnwrittenInputs(eager.calls), UnwrittenInputs(outcome.calls));
    if (reference_.state().empty() != candidate_->state().empty())
      result_.warnings.emplace_back(
          "only one of the models shows parameters or buffers: they were not compared");
    SetConstantsApart(outcome.calls, options_.frozen_inputs, [&] { CallOnceMore(kept); });
    Announce(kComparePhase);
    const c10::IValue actual = AsTree(outcome.calls, with_state_);
    result_.verdict = Compare(tree, actual, std::nullopt, options_.compare);
    if (!result_.verdict.passes()) CallAgain(outcome, kept);
    kept.copy.reset();
    const bool asks_fp64 = !result_.verdict.passes() || options_.always_noise;
    if (!asks_fp64 || options_.fp64 == Fp64::kNever) return std::nullopt;
    return CompareWithFp64(tree, actual);
  }

  void CallAgain(const RunEnd& outcome, const KeptModel& kept) {
    if (!candidate_->state().empty()) return;
    Announce(kAgainPhase);
    result_.varies = Varies({*candidate_, kept, kept_inputs(), QuietRun(options_.run), outcome.calls},
                            result_.verdict, options_.compare, undefined_);
  }

  /// For what it writes; what it returns, or throws, does not matter.
  void CallOnceMore(const KeptModel& kept) const {
    Announce(kAgainPhase);
    check::CallAgain(kept, kept_inputs(), QuietRun(options_.run));
  }

  std::optional<CheckResult> CompareWithFp64(const c10::IValue& eager, const c10::IValue& actual) {
    Announce(kFp64Phase);
    RunOptions run = options_.run;
    run.calls = runs_.calls();
    auto fp64 = RunInFp64(reference_, kept_inputs(), run, MemoryForFp64());
    const auto has_to_confirm = [&] { return options_.fp64 == Fp64::kRequired && !result_.verdict.passes(); };
    if (!fp64.ok()) {
      if (has_to_confirm()) return WithoutFp64(fp64.error().message);
      result_.warnings.push_back("could not generate fp64 outputs: " + fp64.error().message);
      return std::nullopt;
    }
    Announce(kComparePhase);
    fp64->resize(static_cast<size_t>(options_.run.calls), fp64->front());
    result_.verdict = Compare(eager, actual, AsTree(*fp64, with_state_), options_.compare);
    if (const std::optional<std::string> why = SetAsideFp64(); why && has_to_confirm())
      return WithoutFp64(*why);
    return std::nullopt;
  }

  CheckResult CheckFp64(const RunEnd& eager, const RunEnd& repeated) {
    Announce(kFp64Phase);
    const auto fp64 = RunInFp64(reference_, kept_inputs(), options_.run);
    if (!fp64.ok()) return WithoutFp64(fp64.error().message);
    result_.unwritten_inputs = Common(UnwrittenInputs(eager.calls), UnwrittenInputs(*fp64));
    compare::Options across_dtypes = options_.compare;
    across_dtypes.exact_dtype = false;
    const c10::IValue tree = AsTree(eager.calls, with_state_);
    result_.verdict = Compare(AsTree(*fp64, with_state_), tree, std::nullopt, across_dtypes);
    return WithNoise(tree, AsTree(repeated.calls, with_state_), "the numbers are off from float64");
  }

  /// A candidate that gets the caller's tensors may destroy them.
  void KeepInputs() {
    if (options_.run.no_clone) own_inputs_ = CloneInputs(inputs_);
  }
  const Values& kept_inputs() const { return options_.run.no_clone ? own_inputs_ : inputs_; }

  void Announce(std::string_view what) const {
    if (options_.run.announce) options_.run.announce(what);
  }

  /// Beside what both runs have given back.
  int64_t MemoryForFp64() const {
    return std::max(options_.fp64_memory_bytes, runs_.bytes_of_a_run() + BytesOf(kept_inputs()));
  }

  CheckResult WithNoise(const c10::IValue& eager, const c10::IValue& repeated, std::string difference) {
    compare::Verdict& verdict = result_.verdict;
    if (!verdict.passes() || options_.always_noise) MeasureNoise(eager, repeated);
    // Against float64, noise is what is looked for.
    if (candidate_ != nullptr && options_.compare.revision == compare::Revision::kC) {
      compare::ForgiveNoise(verdict);
      WarnOfEager();
    }
    return verdict.passes() ? std::move(result_) : Ended(CheckStatus::kDifferent, std::move(difference));
  }

  void MeasureNoise(const c10::IValue& eager, const c10::IValue& repeated) {
    compare::BeginNoise(result_.verdict);
    AddNoise(eager, compare::NoiseSource::kRepeated, repeated);
    for (uint64_t pattern = 0; pattern < kMostPatternsForKinks; ++pattern) {
      if (pattern > 0 && !compare::MayBeNoise(result_.verdict, kFarBeyondNoise)) break;
      const bool is_too_much = moved_numbers_ > kMostNumbersForKinks;
      if (pattern >= kMostPatterns && (is_too_much || !compare::MayBeKink(result_.verdict))) break;
      if (const Tree nudged = RunNudged(pattern)) AddNoise(eager, compare::NoiseSource::kNudged, *nudged);
    }
  }

  void AddNoise(const c10::IValue& eager, compare::NoiseSource source, const c10::IValue& run) {
    const at::NoGradGuard no_grad;
    compare::AddNoise(eager, source, run, options_.compare, result_.verdict, undefined_);
  }

  /// Where the candidate passes because it is nearer to float64 than eager.
  void WarnOfEager() {
    for (const compare::Output& output : result_.verdict.outputs) {
      if (!output.passes || (output.mismatching == 0 && output.confirmed == 0)) continue;
      if (output.confirmed > 0) {
        result_.warnings.push_back(
            fmt::format("{}: eager is the one that is off: {} right by float64, and not in eager",
                        output.path, base::Counted(output.confirmed, "element")));
      } else if (output.rmse_result_fp64 && 2 * *output.rmse_result_fp64 < *output.rmse_reference_fp64) {
        result_.warnings.push_back(
            fmt::format("{}: eager is the one that is off: its error against float64 is {:.2g}, that of "
                        "the compiled graph {:.2g}",
                        output.path, *output.rmse_reference_fp64, *output.rmse_result_fp64));
      }
    }
  }

  /// Where the float64 run has another structure, outputs were judged without it; that is no fault of the
  /// candidate's. Gives the first such place.
  std::optional<std::string> SetAsideFp64() {
    std::optional<std::string> first;
    for (const compare::Mismatch& mismatch : result_.verdict.mismatches) {
      if (!IsAboutFp64(mismatch)) continue;
      std::string why = fmt::format("{}: {}", mismatch.path, mismatch.message);
      result_.warnings.push_back("no fp64 reference for " + why);
      if (!first) first = std::move(why);
    }
    std::erase_if(result_.verdict.mismatches, IsAboutFp64);
    return first;
  }

  Tree RunNudged(uint64_t pattern) {
    // Later patterns move the inputs at times only, since what inputs and rounding move together seldom ends
    // right at an edge.
    NudgedRun nudged = runs_.RunNudged(pattern, pattern < kMostPatterns || pattern % 2 == 0, with_state_);
    moved_numbers_ += nudged.moved;
    if (nudged.may_overflow) compare::ForgiveOverflow(result_.verdict);
    return std::move(nudged.tree);
  }

  compare::Verdict Compare(const c10::IValue& reference, const c10::IValue& result, const Tree& fp64,
                           const compare::Options& options) const {
    const at::NoGradGuard no_grad;
    return compare::Compare(reference, result, fp64, options, undefined_);
  }

  CheckResult Ended(CheckStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return std::move(result_);
  }

  CheckResult FailedEager(const RunFailure& failure) {
    result_.failure = failure;
    result_.verdict = {};
    return Ended(CheckStatus::kReferenceFailed, fmt::format("eager itself failed: {}", failure.ToString()));
  }

  CheckResult WithoutFp64(const std::string& why) {
    result_.verdict = {};
    return Ended(CheckStatus::kNoFp64, "could not generate fp64 outputs: " + why);
  }

  const Model& reference_;
  const Model* candidate_;
  const Values& inputs_;
  const CheckOptions& options_;
  Values own_inputs_;
  ReferenceRuns runs_;
  const bool with_state_;
  compare::UndefinedElements undefined_;
  size_t moved_numbers_ = 0;
  CheckResult result_;
};

}  // namespace

CheckOptions CheckOptions::Accuracy() {
  return {.fp64 = Fp64::kRequired, .compare = {.equal_nan = true, .ignore_non_float = true}};
}

CheckOptions CheckOptions::Strict() {
  return {.fp64 = Fp64::kWherePossible, .compare = {.equal_nan = true, .ignore_non_float = false}};
}

bool IsEagerPhase(std::string_view phase) {
  constexpr std::string_view kPhases[] = {kEagerPhase, kRepeatPhase, kFp64Phase, kNoisePhase};
  return std::ranges::count(kPhases, phase) > 0;
}

std::string_view NameOf(CheckStatus status) {
  switch (status) {
    case CheckStatus::kSame:
      return "same";
    case CheckStatus::kDifferent:
      return "different";
    case CheckStatus::kCandidateFailed:
      return "candidate failed";
    case CheckStatus::kCandidateRefused:
      return "candidate refused";
    case CheckStatus::kReferenceFailed:
      return "reference failed";
    case CheckStatus::kReferenceUnstable:
      return "reference unstable";
    case CheckStatus::kNoFp64:
      return "no fp64";
  }
  return "";
}

CheckResult FailedCandidate(const RunFailure& failure) {
  CheckResult result{.status = CheckStatus::kCandidateFailed};
  try {
    if (failure.exception != nullptr) std::rethrow_exception(failure.exception);
  } catch (const backend::Refusal& refusal) {
    result.status = CheckStatus::kCandidateRefused;
    result.message = fmt::format("the graph cannot be handed to the compiler: {}", refusal.what());
    result.help = refusal.help();
    return result;
  } catch (...) {
    // The message of the failure says it.
  }
  result.failure = failure;
  result.message = fmt::format("the candidate failed: {}", failure.ToString());
  return result;
}

CheckResult SameTwoModels(const Model& reference, const Model& candidate, const Values& inputs,
                          const CheckOptions& options) {
  return TwoModels(reference, &candidate, inputs, options).Check();
}

CheckResult NearFp64(const Model& model, const Values& inputs, const CheckOptions& options) {
  return TwoModels(model, nullptr, inputs, options).Check();
}

}  // namespace culprit::check
