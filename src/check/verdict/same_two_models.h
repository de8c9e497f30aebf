// SPDX-License-Identifier: Apache-2.0
//
// Do two models compute the same? As PyTorch's same_two_models, step by step:
//
//   1. the reference runs twice: what fails or differs by itself says nothing about the candidate
//   2. the candidate runs
//   3. the results are compared (compare/compare.h), under the names of outcome.h
//   4. if something differs, the reference runs in float64, if it can, and all are compared again: what both
//      round is no failure. What passes without float64 passes with it, too
//   5. what still differs has its noise measured: how far do results move that nobody would call wrong? In
//      revision C of the rules (compare/verdict/options.h) what is no more than noise passes
//
// Mended: a candidate that throws is not "the same" but a failure of its own kind; so is a reference; every
// run starts with the same state of the generator; and a float64 run that has another structure than the
// reference is no reference.
//
// At its peak the tensors of a check take what a run of the reference takes, the inputs once more, and what
// two runs give back. That includes the run in float64, which is refused what is beyond it: tensors there are
// twice as large, so that a graph of large intermediate values has no float64 reference, and a verdict says
// so.
//
// Without a candidate the model is judged by its own run in float64 (NearFp64), whatever that takes.
//
// Nothing of the caller's is changed, unless no_clone hands its tensors to the candidate.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/model/model.h"
#include "check/run/run_model.h"
#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::check {

/// Announced beside the phases of the candidate (run_model.h): the reference runs, for the first time, again,
/// in float64, on inputs that were moved; the results are compared.
inline constexpr std::string_view kEagerPhase = "eager";
inline constexpr std::string_view kRepeatPhase = "the second run of eager";
inline constexpr std::string_view kFp64Phase = "the run in float64";
inline constexpr std::string_view kNoisePhase = "the run on moved inputs";
inline constexpr std::string_view kComparePhase = "compare";
/// The candidate runs once more, since something differs.
inline constexpr std::string_view kAgainPhase = "the same call again";

/// Whether it is one of the reference.
bool IsEagerPhase(std::string_view phase);

enum class Fp64 { kNever, kWherePossible, kRequired };

struct CheckOptions {
  /// no_clone is for the candidate only.
  RunOptions run;
  Fp64 fp64 = Fp64::kWherePossible;
  /// So much the run in float64 may take beside a candidate, even if the rest of the check takes less.
  int64_t fp64_memory_bytes = int64_t{1} << 30;
  compare::Options compare = {.equal_nan = true};
  /// Measure the noise of what passes too, and run it in float64.
  bool always_noise = false;
  /// Positions of inputs that the candidate takes for constants (set_constants_apart.h).
  std::set<size_t> frozen_inputs = {};

  /// Only wrong floating-point numbers count, and only if float64 confirms them.
  static CheckOptions Accuracy();
  /// Every difference counts, in integers and bools too, with or without float64.
  static CheckOptions Strict();
};

enum class CheckStatus {
  kSame,
  kDifferent,
  kCandidateFailed,
  /// "the graph cannot be handed to the compiler": the backend's own part refuses it (backend/refusal.h).
  kCandidateRefused,
  /// "eager itself failed"
  kReferenceFailed,
  /// "eager itself differs between two runs"
  kReferenceUnstable,
  /// Something differs, and "could not generate fp64 outputs", which were required to confirm it.
  kNoFp64,
};
std::string_view NameOf(CheckStatus status);

struct CheckResult {
  CheckStatus status = CheckStatus::kSame;
  /// The status in one sentence, with the reason; empty if the models are the same.
  std::string message;
  /// What to type instead, of a refusal; empty if there is nothing.
  std::string help;
  /// Of the model that failed.
  std::optional<RunFailure> failure;
  /// Of the candidate against the reference, or of the reference against itself if it is unstable.
  compare::Verdict verdict;
  /// The candidate gives other wrong results when it is called again with the same inputs.
  bool varies = false;
  /// What makes the verdict weaker than it looks, one sentence each.
  std::vector<std::string> warnings;
  /// The inputs that no run of the verdict wrote into, as the verdict names them (outcome.h).
  std::set<std::string> unwritten_inputs;
};

/// Of a candidate that threw: its failure, or the refusal that it is.
CheckResult FailedCandidate(const RunFailure& failure);

CheckResult SameTwoModels(const Model& reference, const Model& candidate,
                          const std::vector<c10::IValue>& inputs, const CheckOptions& options);

/// Is what a model computes near enough to what it would compute in float64? In the verdict the run in
/// float64 is the reference, rounded to the dtypes of the model, and the model the result: what differs is
/// more than the rounding of the last step. Float64 is required, whatever the options say.
CheckResult NearFp64(const Model& model, const std::vector<c10::IValue>& inputs, const CheckOptions& options);

}  // namespace culprit::check
