// SPDX-License-Identifier: Apache-2.0
#include "check/same_two_models.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "check/clone_inputs.h"
#include "check/fp64_graph.h"
#include "check/nudge_inputs.h"
#include "check/thrown.h"
#include "compare/compare.h"
#include "compare/noise.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;
using Tree = std::optional<c10::IValue>;

bool IsAboutFp64(const compare::Mismatch& mismatch) {
  return mismatch.kind == compare::MismatchKind::kFp64;
}

class TwoModels {
 public:
  TwoModels(const Model& reference, const Model& candidate, const Values& inputs, const CheckOptions& options)
      : reference_(reference),
        candidate_(candidate),
        inputs_(inputs),
        options_(options),
        with_state_(!reference.state().empty() && !candidate.state().empty()) {}

  CheckResult Check() {
    const std::optional<std::string> thrown = MessageOfThrown([&] { KeepInputs(); });
    if (thrown) return Failed(CheckStatus::kReferenceFailed, {Phase::kClone, *thrown});
    const Outcome eager = RunReference(kept_inputs());
    if (!eager.ok()) return Failed(CheckStatus::kReferenceFailed, *eager.failure);
    const Outcome repeated = RunReference(kept_inputs());
    if (!repeated.ok()) return Failed(CheckStatus::kReferenceFailed, *repeated.failure);
    result_.verdict = Compare(AsTree(eager.calls, true), AsTree(repeated.calls, true), std::nullopt);
    if (!result_.verdict.passes())
      return Ended(CheckStatus::kReferenceUnstable, "eager itself differs between two runs");

    const base::Result<Tree> fp64 = RunInFp64();
    if (!fp64.ok()) return WithoutFp64(fp64.error().message);
    const Outcome outcome = RunModel(candidate_, inputs_, options_.run);
    if (!outcome.ok()) return Failed(CheckStatus::kCandidateFailed, *outcome.failure);
    return Judge(AsTree(eager.calls, with_state_), AsTree(repeated.calls, with_state_), *fp64,
                 AsTree(outcome.calls, with_state_));
  }

 private:
  /// A candidate that gets the caller's tensors may destroy them.
  void KeepInputs() {
    if (options_.run.no_clone) own_inputs_ = CloneInputs(inputs_);
  }
  const Values& kept_inputs() const { return options_.run.no_clone ? own_inputs_ : inputs_; }

  Outcome RunReference(const Values& inputs) const {
    RunOptions run = options_.run;
    run.no_clone = false;
    return RunModel(reference_, inputs, run);
  }

  /// Nothing if it is not wanted, or is impossible but not required either: the reason is a warning then.
  base::Result<Tree> RunInFp64() {
    if (options_.fp64 == Fp64::kNever) return Tree();
    base::Result<Tree> tree = base::Diagnostic{};
    const std::optional<std::string> thrown = MessageOfThrown([&] { tree = TryFp64(); });
    if (thrown) tree = base::Diagnostic{{}, *thrown};
    if (tree.ok() || options_.fp64 == Fp64::kRequired) return tree;
    result_.warnings.push_back("could not generate fp64 outputs: " + tree.error().message);
    return Tree();
  }

  base::Result<Tree> TryFp64() const {
    const std::unique_ptr<Model> model = CULPRIT_TRY(reference_.InFp64(kept_inputs(), options_.run.settings));
    RunOptions run = options_.run;
    run.settings = SettingsInFp64(run.settings);
    run.no_clone = false;
    const Outcome outcome = RunModel(*model, CloneInputsInFp64(kept_inputs()), run);
    if (!outcome.ok()) return base::Diagnostic{{}, outcome.failure->ToString()};
    return Tree(AsTree(outcome.calls, with_state_));
  }

  CheckResult Judge(const c10::IValue& eager, const c10::IValue& repeated, const Tree& fp64,
                    const c10::IValue& outcome) {
    if (reference_.state().empty() != candidate_.state().empty())
      result_.warnings.push_back(
          "only one of the models shows parameters or buffers: they were not compared");
    result_.verdict = Compare(eager, outcome, fp64);
    if (const std::optional<std::string> why = SetAsideFp64(); why && options_.fp64 == Fp64::kRequired)
      return WithoutFp64(*why);
    const bool passes = result_.verdict.passes();
    if (!passes || options_.always_noise)
      compare::MeasureNoise(eager, {repeated, RunNudged()}, result_.verdict);
    return passes ? std::move(result_) : Ended(CheckStatus::kDifferent, "the candidate differs from eager");
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

  Tree RunNudged() const {
    Tree tree;
    // Inputs that were moved may be out of range for the model; then this measurement is missing.
    MessageOfThrown([&] {
      const Outcome outcome = RunReference(NudgeInputs(kept_inputs()));
      if (outcome.ok()) tree = AsTree(outcome.calls, with_state_);
    });
    return tree;
  }

  compare::Verdict Compare(const c10::IValue& eager, const c10::IValue& outcome, const Tree& fp64) const {
    const at::NoGradGuard no_grad;
    return compare::Compare(eager, outcome, fp64, options_.compare);
  }

  CheckResult Ended(CheckStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return std::move(result_);
  }

  CheckResult Failed(CheckStatus status, const Failure& failure) {
    const bool is_candidate = status == CheckStatus::kCandidateFailed;
    result_.failure = failure;
    result_.verdict = {};
    return Ended(status, fmt::format("{} failed: {}", is_candidate ? "the candidate" : "eager itself",
                                     failure.ToString()));
  }

  CheckResult WithoutFp64(const std::string& why) {
    result_.verdict = {};
    return Ended(CheckStatus::kNoFp64, "could not generate fp64 outputs: " + why);
  }

  const Model& reference_;
  const Model& candidate_;
  const Values& inputs_;
  const CheckOptions& options_;
  const bool with_state_;
  Values own_inputs_;
  CheckResult result_;
};

}  // namespace

CheckOptions CheckOptions::Accuracy() {
  return {.fp64 = Fp64::kRequired, .compare = {.equal_nan = true, .ignore_non_float = true}};
}

CheckOptions CheckOptions::Strict() {
  return {.fp64 = Fp64::kWherePossible, .compare = {.equal_nan = true, .ignore_non_float = false}};
}

std::string_view NameOf(CheckStatus status) {
  switch (status) {
    case CheckStatus::kSame:
      return "same";
    case CheckStatus::kDifferent:
      return "different";
    case CheckStatus::kCandidateFailed:
      return "candidate failed";
    case CheckStatus::kReferenceFailed:
      return "reference failed";
    case CheckStatus::kReferenceUnstable:
      return "reference unstable";
    case CheckStatus::kNoFp64:
      return "no fp64";
  }
  return "";
}

CheckResult SameTwoModels(const Model& reference, const Model& candidate, const Values& inputs,
                          const CheckOptions& options) {
  return TwoModels(reference, candidate, inputs, options).Check();
}

}  // namespace culprit::check
