// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/same_two_models.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backend/refusal.h"
#include "base/text.h"
#include "check/memory/set_constants_apart.h"
#include "check/memory/share_repeated.h"
#include "check/memory/tensor_meter.h"
#include "check/model/clone_inputs.h"
#include "check/model/thrown.h"
#include "check/noise/nudge_inputs.h"
#include "check/run/run_in_fp64.h"
#include "check/verdict/varying_results.h"
#include "compare/compare.h"
#include "compare/noise.h"
#include "graph/tensors/map_tensors.h"

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

/// In main memory; what is shared counts once.
int64_t BytesOf(const Values& values) {
  std::set<const c10::StorageImpl*> storages;
  int64_t bytes = 0;
  for (const c10::IValue& value : values) {
    graph::MapTensors(value, [&](const at::Tensor& tensor) {
      const bool counts = tensor.defined() && tensor.has_storage() && tensor.device().is_cpu();
      if (counts && storages.insert(tensor.storage().unsafeGetStorageImpl()).second)
        bytes += static_cast<int64_t>(tensor.storage().nbytes());
      return tensor;
    });
  }
  return bytes;
}

std::string WarningOfUndefined(std::string_view path, const at::Tensor& mask) {
  constexpr std::string_view kFirstCall = "calls[0].";
  if (path.starts_with(kFirstCall)) path.remove_prefix(kFirstCall.size());
  const int64_t undefined = mask.sum().item<int64_t>();
  const std::string which = undefined == mask.numel() ? fmt::format("{}, which depends", path)
                                                      : fmt::format("{} of {} elements of {}, which depend",
                                                                    undefined, mask.numel(), path);
  return fmt::format("not compared: {} on memory that nobody wrote", which);
}

class TwoModels {
 public:
  /// Without a candidate the reference is compared with itself in float64.
  TwoModels(const Model& reference, const Model* candidate, const Values& inputs, const CheckOptions& options)
      : reference_(reference),
        candidate_(candidate),
        inputs_(inputs),
        options_(options),
        has_unwritten_memory_(reference.Filled(Filling::kNan) != nullptr),
        with_state_(!reference.state().empty() && (candidate == nullptr || !candidate->state().empty())) {}

  CheckResult Check() {
    const std::optional<std::string> thrown = MessageOfThrown([&] { KeepInputs(); });
    if (thrown) return FailedEager({Phase::kClone, *thrown});
    RunEnd eager = RunAndMeasure();
    if (!eager.ok()) return FailedEager(*eager.failure);
    RunEnd repeated = RunFilled(Filling::kNegative, kRepeatPhase);
    if (!repeated.ok()) return FailedEager(*repeated.failure);
    RepeatCalls(eager.calls, repeated.calls);
    RepeatCalls(repeated.calls, eager.calls);
    SetConstantsApart(eager.calls, options_.frozen_inputs);
    SetConstantsApart(repeated.calls, options_.frozen_inputs);
    FindUndefined(AsTree(eager.calls, true), AsTree(repeated.calls, true));
    result_.verdict =
        Compare(AsTree(eager.calls, true), AsTree(repeated.calls, true), std::nullopt, options_.compare);
    if (!result_.verdict.passes())
      return Ended(CheckStatus::kReferenceUnstable,
                   fmt::format("eager itself differs between two runs{}",
                               has_unwritten_memory_ ? ", since it reads memory that nobody wrote" : ""));
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
    result_.varies = Varies({*candidate_, kept, kept_inputs(), QuietRun(), outcome.calls}, result_.verdict,
                            options_.compare, undefined_);
  }

  /// For what it writes; what it returns, or throws, does not matter.
  void CallOnceMore(const KeptModel& kept) const {
    Announce(kAgainPhase);
    check::CallAgain(kept, kept_inputs(), QuietRun());
  }

  /// Of a copy of the inputs, whose phases are no phases of the check.
  RunOptions QuietRun() const {
    RunOptions run = options_.run;
    run.announce = nullptr;
    run.no_clone = false;
    return run;
  }

  std::optional<CheckResult> CompareWithFp64(const c10::IValue& eager, const c10::IValue& actual) {
    Announce(kFp64Phase);
    RunOptions run = options_.run;
    run.calls = CallsOfReference();
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

  /// The first run: what it takes is the measure of what the rest may take.
  RunEnd RunAndMeasure() {
    const TensorMeter meter;
    RunEnd eager = RunFilled(Filling::kNan, kEagerPhase);
    bytes_of_a_run_ = meter.peak();
    // What earlier calls left behind is no part of a run.
    if (CallsOfReference() > 1 && eager.ok()) bytes_of_a_run_ -= BytesOf({eager.calls.front().outputs});
    return eager;
  }

  /// As the reference itself where all of its memory is written.
  RunEnd RunFilled(Filling filling, std::string_view phase) const {
    const std::unique_ptr<Model> filled = reference_.Filled(filling);
    return RunReference(kept_inputs(), phase, filled ? *filled : reference_);
  }

  /// What differs between runs that only differ in what unwritten memory holds. Another one that fails has
  /// found out of range what the first two did not.
  void FindUndefined(const c10::IValue& eager, const c10::IValue& repeated) {
    if (!has_unwritten_memory_) return;
    const at::NoGradGuard no_grad;
    undefined_.Add(eager, repeated);
    for (const Filling filling : {Filling::kPositive, Filling::kZero}) {
      RunEnd outcome = RunFilled(filling, kRepeatPhase);
      if (!outcome.ok()) continue;
      outcome.calls.resize(static_cast<size_t>(options_.run.calls), outcome.calls.front());
      undefined_.Add(eager, AsTree(outcome.calls, true));
    }
    for (const auto& [path, mask] : undefined_.masks()) {
      // All calls of a graph are alike.
      if (path.starts_with("calls[") && !path.starts_with("calls[0]")) continue;
      result_.warnings.push_back(WarningOfUndefined(path, mask));
    }
  }

  /// Beside what both runs have given back.
  int64_t MemoryForFp64() const {
    return std::max(options_.fp64_memory_bytes, bytes_of_a_run_ + BytesOf(kept_inputs()));
  }

  RunEnd RunReference(const Values& inputs, std::string_view phase) const {
    return RunReference(inputs, phase, reference_);
  }
  RunEnd RunReference(const Values& inputs, std::string_view phase, const Model& reference) const {
    Announce(phase);
    RunOptions run = QuietRun();
    run.calls = CallsOfReference();
    return RunModel(reference, inputs, run);
  }

  /// Without state all calls of a model are alike, so that one is enough to judge another model by.
  int CallsOfReference() const {
    return candidate_ != nullptr && reference_.state().empty() ? 1 : options_.run.calls;
  }

  /// As if the first run had made all calls that the candidate makes. The second one tells what is the
  /// model's own, such as a constant, and the same in all of them.
  void RepeatCalls(std::vector<Results>& calls, const std::vector<Results>& second) const {
    const Results first = calls.front();
    while (calls.size() < static_cast<size_t>(options_.run.calls))
      calls.push_back(Repeated(first, second.front()));
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

  /// On inputs that are a unit in the last place off, and rounded another way where the model lets us; later
  /// patterns do only the second at times, since what both move together seldom ends right at an edge.
  Tree RunNudged(uint64_t pattern) {
    Tree tree;
    RoundingTrial rounding{.pattern = pattern};
    const std::unique_ptr<Model> rounded = reference_.Rounded(rounding);
    // Inputs that were moved may be out of range for the model; then this measurement is missing.
    MessageOfThrown([&] {
      const bool moves_inputs = !rounded || pattern < kMostPatterns || pattern % 2 == 0;
      RunEnd outcome = RunReference(moves_inputs ? NudgeInputs(kept_inputs(), pattern) : kept_inputs(),
                                    kNoisePhase, rounded ? *rounded : reference_);
      if (!outcome.ok()) return;
      outcome.calls.resize(static_cast<size_t>(options_.run.calls), outcome.calls.front());
      tree = AsTree(outcome.calls, with_state_);
    });
    moved_numbers_ += rounding.moved;
    if (rounding.may_overflow) compare::ForgiveOverflow(result_.verdict);
    return tree;
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
  const bool has_unwritten_memory_;
  const bool with_state_;
  compare::UndefinedElements undefined_;
  Values own_inputs_;
  int64_t bytes_of_a_run_ = 0;
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
