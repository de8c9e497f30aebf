// SPDX-License-Identifier: Apache-2.0
//
// Do two models compute the same? As PyTorch's same_two_models, step by step:
//
//   1. the reference runs twice: what fails or differs by itself says nothing about the candidate
//   2. the reference runs in float64, if it can
//   3. the candidate runs
//   4. the results are compared (compare/compare.h), under the names of outcome.h
//   5. if something differs, the noise is measured: how far do results move that nobody would call wrong?
//
// Mended: a candidate that throws is not "the same" but a failure of its own kind; so is a reference; every
// run starts with the same state of the generator; and a float64 run that has another structure than the
// reference is no reference.
//
// Without a candidate the model is judged by its own run in float64 (NearFp64); the steps are the same.
//
// Nothing of the caller's is changed, unless no_clone hands its tensors to the candidate.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/model.h"
#include "check/run_model.h"
#include "compare/options.h"
#include "compare/verdict.h"

namespace culprit::check {

/// Announced beside the phases of the candidate (run_model.h): the reference runs, in whatever precision; the
/// results are compared.
inline constexpr std::string_view kEagerPhase = "eager";
inline constexpr std::string_view kComparePhase = "compare";

enum class Fp64 { kNever, kWherePossible, kRequired };

struct CheckOptions {
  /// no_clone is for the candidate only.
  RunOptions run;
  Fp64 fp64 = Fp64::kWherePossible;
  compare::Options compare = {.equal_nan = true};
  /// Measure the noise of what passes too.
  bool always_noise = false;

  /// Only wrong floating-point numbers count, and float64 has to confirm them.
  static CheckOptions Accuracy();
  /// Every difference counts, in integers and bools too, with or without float64.
  static CheckOptions Strict();
};

enum class CheckStatus {
  kSame,
  kDifferent,
  kCandidateFailed,
  /// "eager itself failed"
  kReferenceFailed,
  /// "eager itself differs between two runs"
  kReferenceUnstable,
  /// "could not generate fp64 outputs", which were required
  kNoFp64,
};
std::string_view NameOf(CheckStatus status);

struct CheckResult {
  CheckStatus status = CheckStatus::kSame;
  /// The status in one sentence, with the reason; empty if the models are the same.
  std::string message;
  /// Of the model that failed.
  std::optional<Failure> failure;
  /// Of the candidate against the reference, or of the reference against itself if it is unstable.
  compare::Verdict verdict;
  /// What makes the verdict weaker than it looks, one sentence each.
  std::vector<std::string> warnings;
  /// The inputs that no run of the verdict wrote into, as the verdict names them (outcome.h).
  std::set<std::string> unwritten_inputs;
};

CheckResult SameTwoModels(const Model& reference, const Model& candidate,
                          const std::vector<c10::IValue>& inputs, const CheckOptions& options);

/// Is what a model computes near enough to what it would compute in float64? In the verdict the run in
/// float64 is the reference, rounded to the dtypes of the model, and the model the result: what differs is
/// more than the rounding of the last step. Float64 is required, whatever the options say.
CheckResult NearFp64(const Model& model, const std::vector<c10::IValue>& inputs, const CheckOptions& options);

}  // namespace culprit::check
