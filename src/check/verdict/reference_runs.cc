// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/reference_runs.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <set>

#include "check/memory/share_repeated.h"
#include "check/memory/tensor_meter.h"
#include "check/model/thrown.h"
#include "check/noise/nudge_inputs.h"
#include "check/verdict/same_two_models.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

std::string WarningOfUndefined(std::string_view path, const at::Tensor& mask) {
  constexpr std::string_view kFirstCall = "calls[0].";
  if (path.starts_with(kFirstCall)) path.remove_prefix(kFirstCall.size());
  const int64_t undefined = mask.sum().item<int64_t>();
  const std::string which = undefined == mask.numel() ? fmt::format("{}, which depends", path)
                                                      : fmt::format("{} of {} elements of {}, which depend",
                                                                    undefined, mask.numel(), path);
  return fmt::format("not compared: {} on memory that nobody wrote", which);
}

}  // namespace

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

RunOptions QuietRun(RunOptions run) {
  run.announce = nullptr;
  run.no_clone = false;
  return run;
}

RunEnd ReferenceRuns::Run(const Model& reference, const Values& inputs, std::string_view phase) const {
  if (run_.announce) run_.announce(phase);
  RunOptions run = QuietRun(run_);
  run.calls = calls_;
  return RunModel(reference, inputs, run);
}

RunEnd ReferenceRuns::RunFilled(Filling filling, std::string_view phase) const {
  // As the reference itself where all of its memory is written.
  const std::unique_ptr<Model> filled = reference_.Filled(filling);
  return Run(filled ? *filled : reference_, inputs_, phase);
}

RunEnd ReferenceRuns::RunFirst() {
  const TensorMeter meter;
  RunEnd first = RunFilled(Filling::kNan, kEagerPhase);
  bytes_of_a_run_ = meter.peak();
  if (calls_ > 1 && first.ok()) bytes_of_a_run_ -= BytesOf({first.calls.front().outputs});
  return first;
}

RunEnd ReferenceRuns::RunAgain() const {
  return RunFilled(Filling::kNegative, kRepeatPhase);
}

void ReferenceRuns::RepeatCalls(std::vector<Results>& calls, const std::vector<Results>& second) const {
  const Results first = calls.front();
  while (calls.size() < static_cast<size_t>(run_.calls)) calls.push_back(Repeated(first, second.front()));
}

compare::UndefinedElements ReferenceRuns::FindUndefined(const c10::IValue& first, const c10::IValue& second,
                                                        std::vector<std::string>& warnings) const {
  compare::UndefinedElements undefined;
  if (!has_unwritten_memory_) return undefined;
  const at::NoGradGuard no_grad;
  undefined.Add(first, second);
  for (const Filling filling : {Filling::kPositive, Filling::kZero}) {
    RunEnd end = RunFilled(filling, kRepeatPhase);
    // One that fails has found out of range what the first two did not.
    if (!end.ok()) continue;
    end.calls.resize(static_cast<size_t>(run_.calls), end.calls.front());
    undefined.Add(first, AsTree(end.calls, true));
  }
  for (const auto& [path, mask] : undefined.masks()) {
    // All calls of a graph are alike.
    if (path.starts_with("calls[") && !path.starts_with("calls[0]")) continue;
    warnings.push_back(WarningOfUndefined(path, mask));
  }
  return undefined;
}

NudgedRun ReferenceRuns::RunNudged(uint64_t pattern, bool moves_inputs, bool with_state) const {
  NudgedRun nudged;
  RoundingTrial rounding{.pattern = pattern, .moves_inputs = moves_inputs};
  const std::unique_ptr<Model> rounded = reference_.Rounded(rounding);
  // Inputs that were moved may be out of range for the model; then this measurement is missing.
  MessageOfThrown([&] {
    RunEnd end = rounded ? Run(*rounded, inputs_, kNoisePhase)
                         : Run(reference_, NudgeInputs(inputs_, pattern), kNoisePhase);
    if (!end.ok()) return;
    end.calls.resize(static_cast<size_t>(run_.calls), end.calls.front());
    nudged.tree = AsTree(end.calls, with_state);
  });
  nudged.moved = rounding.moved;
  nudged.may_overflow = rounding.may_overflow;
  return nudged;
}

}  // namespace culprit::check
