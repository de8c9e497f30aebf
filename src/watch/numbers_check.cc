// SPDX-License-Identifier: Apache-2.0
#include "watch/numbers_check.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "backend/failure/essential_line.h"
#include "check/model/clone_inputs.h"
#include "check/query/query.h"
#include "check/run/run_model.h"
#include "check/run/synchronize.h"
#include "compare/compare.h"
#include "graph/tensors/generator_scope.h"
#include "watch/notice/notice.h"
#include "watch/notice/thrown_now.h"
#include "watch/reference.h"
#include "watch/session/not_watched.h"
#include "watch/subject/live_models.h"

namespace culprit::watch {
namespace {

/// Autocast keeps what it has cast, with or without a history: casts that were made while nothing records
/// gradients must not be those of the program.
class NoAutocastCache {
 public:
  NoAutocastCache() : before_(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_cache_enabled(false);
  }
  ~NoAutocastCache() { at::autocast::set_autocast_cache_enabled(before_); }
  NoAutocastCache(const NoAutocastCache&) = delete;
  NoAutocastCache& operator=(const NoAutocastCache&) = delete;

 private:
  bool before_;
};

/// What the watcher below has reported leaves as it is.
std::optional<check::CheckResult> IfNotSame(check::CheckResult result) {
  if (result.status == check::CheckStatus::kSame) return std::nullopt;
  if (result.status == check::CheckStatus::kCandidateFailed && !IsNotWatched() &&
      (DescribeMet(*result.failure).now.is_failure || IsReportWaiting()))
    std::rethrow_exception(result.failure->exception);
  return result;
}

bool AreClose(const check::RunEnd& expected, const check::RunEnd& actual, const compare::Options& options) {
  const at::NoGradGuard no_grad;
  return compare::Compare(check::AsTree(expected.calls, false), check::AsTree(actual.calls, false),
                          std::nullopt, options)
      .passes();
}

}  // namespace

NumbersCheck::NumbersCheck(const WatchedGraph& subject, const KeptInputs& kept)
    : subject_(subject), kept_(kept), hashes_(kept.values()), inputs_(kept.values()) {
  const at::NoGradGuard no_grad;
  const NoAutocastCache no_cache;
  std::optional<graph::GeneratorScope> generator;
  if (subject.draws_random) generator.emplace();
  check::InputClones clones;
  for (const KeptInputs::Copied& copied : kept.copied())
    inputs_[copied.input] = clones.Clone(kept.values()[copied.input]);
  try {
    backend::Values outputs = subject.RunAsWritten(inputs_);
    check::Synchronize(check::AcceleratorsOf(inputs_));
    outputs_ = std::move(outputs);
    if (subject.draws_random) generator_ = graph::GeneratorScope().state();
  } catch (const std::exception& error) {
    // Mostly the program fails by itself, and is about to say so.
    why_not_ = backend::EssentialLine(error.what());
  }
}

bool NumbersCheck::IsClose(const backend::Values& outputs) const {
  // Lists: the type of a tuple is that of its elements, which takes time to find.
  c10::impl::GenericList expected(c10::AnyType::get());
  c10::impl::GenericList actual(c10::AnyType::get());
  for (const c10::IValue& output : *outputs_) expected.push_back(output);
  for (const c10::IValue& output : outputs) actual.push_back(output);
  for (const KeptInputs::Copied& copied : kept_.copied()) {
    expected.push_back(inputs_[copied.input]);
    actual.push_back(copied.original);
  }
  compare::Options options = check::CheckOptionsOf(subject_.header).compare;
  // The graph ran without gradients.
  options.compare_requires_grad = false;
  return compare::Compare(expected, actual, std::nullopt, options).passes();
}

check::CheckOptions NumbersCheck::OptionsFor(const repro::RunSettings& run) const {
  check::CheckOptions options = check::CheckOptionsOf(subject_.header);
  options.run.settings = run;
  return options;
}

std::optional<check::CheckResult> NumbersCheck::Compare(const backend::Values& outputs,
                                                        const repro::RunSettings& run) const {
  if (!outputs_)
    return check::CheckResult{.status = check::CheckStatus::kReferenceFailed,
                              .message = "eager itself failed: " + why_not_};
  if (IsClose(outputs)) return std::nullopt;
  // Another thread has drawn numbers meanwhile: nobody can tell.
  if (subject_.draws_random && !generator_.equal(graph::GeneratorScope().state())) return std::nullopt;
  const CheckScope scope;
  check::CheckOptions options = OptionsFor(run);
  options.run.only_forward = true;
  return IfNotSame(check::SameTwoModels(*ReferenceOf(subject_, kept_.values()), RecordedCall(kept_, outputs),
                                        kept_.values(), options));
}

bool NumbersCheck::Writes(backend::Compiled& compiled, size_t input) const {
  const CheckScope scope;
  const at::NoGradGuard no_grad;
  const NoAutocastCache no_cache;
  const graph::GeneratorScope generator;
  const backend::Values clones = check::CloneInputs(kept_.values());
  clones[input].toTensor().zero_();
  const MemoryHashes hashes(clones);
  backend::Values given = clones;
  try {
    compiled.Call(given);
  } catch (const std::exception&) {
    // It may have written all the same.
  }
  return std::ranges::count(hashes.Changed(), input) > 0;
}

std::optional<check::CheckResult> NumbersCheck::CompareGradients(
    backend::Compiled& compiled, const repro::RunSettings& run,
    const std::function<void(std::string_view)>& announce) const {
  if (!outputs_ || subject_.header.only_forward) return std::nullopt;
  const std::unique_ptr<check::Model> reference = ReferenceOf(subject_, kept_.values());
  const CompiledItself candidate(compiled);
  check::CheckOptions options = OptionsFor(run);
  announce(check::kEagerPhase);
  const check::RunEnd expected = check::RunModel(*reference, kept_.values(), options.run);
  options.run.announce = announce;
  if (expected.ok()) {
    const check::RunEnd actual = check::RunModel(candidate, kept_.values(), options.run);
    if (!actual.ok())
      return IfNotSame({.status = check::CheckStatus::kCandidateFailed, .failure = actual.failure});
    announce(check::kComparePhase);
    if (AreClose(expected, actual, options.compare)) return std::nullopt;
  }
  return IfNotSame(check::SameTwoModels(*reference, candidate, kept_.values(), options));
}

}  // namespace culprit::watch
