// SPDX-License-Identifier: Apache-2.0
#include "check/run/run_in_fp64.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <fmt/format.h>

#include "base/text.h"
#include "check/memory/return_unwritten.h"
#include "check/memory/tensor_meter.h"
#include "check/model/clone_inputs.h"
#include "check/model/thrown.h"
#include "check/run/fp64_graph.h"

namespace culprit::check {
namespace {

using base::Diagnostic;
using base::Result;
using Values = std::vector<c10::IValue>;

bool HoldsNumbersOf(const c10::IValue& original, const c10::IValue& cast) {
  if (!original.isTensor() || !cast.isTensor()) return true;
  const at::Tensor& before = original.toTensor();
  const at::Tensor& numbers = cast.toTensor();
  const at::NoGradGuard no_grad;
  if (!numbers.defined() || !before.is_cpu() || before.is_same(numbers)) return true;
  return at::equal(numbers, before.to(numbers.scalar_type()));
}

/// The run got these copies themselves, so that only their numbers tell whether it wrote into them.
void ReturnCast(const Values& originals, Results& results) {
  for (size_t i = 0; i < results.inputs.size(); ++i)
    results.unwritten[i] = results.unwritten[i] && HoldsNumbersOf(originals[i], results.inputs[i]);
  ReturnUnwritten(originals, results);
}

/// Those that the twin casts by itself are not cast.
Result<Values> InputsFor(const Model& twin, const Values& inputs) {
  std::vector<bool> casts = twin.casts();
  casts.resize(inputs.size());
  Values given = inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (casts[i]) given[i] = {};
  }
  given = CULPRIT_TRY(CloneInputsInFp64(given));
  for (size_t i = 0; i < inputs.size(); ++i) {
    // The same memory, without the gradient that a run would forget.
    if (casts[i]) given[i] = inputs[i].toTensor().detach();
  }
  return given;
}

Result<std::vector<Results>> Run(const Model& model, const Values& inputs, RunOptions options) {
  const std::unique_ptr<Model> twin = CULPRIT_TRY(model.InFp64(inputs, options.settings));
  const Values given = CULPRIT_TRY(InputsFor(*twin, inputs));
  options.settings = SettingsInFp64(options.settings);
  // These are copies already; only further calls need them as they were.
  options.no_clone = options.calls == 1;
  options.announce = nullptr;
  RunEnd outcome = RunModel(*twin, given, options);
  if (!outcome.ok()) return Diagnostic{{}, outcome.failure->ToString()};
  for (Results& results : outcome.calls) ReturnCast(inputs, results);
  return std::move(outcome.calls);
}

}  // namespace

Result<std::vector<Results>> RunInFp64(const Model& model, const Values& inputs, RunOptions options,
                                       int64_t memory_bytes) {
  Result<std::vector<Results>> results = Diagnostic{};
  const TensorMeter meter(memory_bytes);
  const auto thrown = MessageOfThrown([&] { results = Run(model, inputs, std::move(options)); });
  if (meter.has_refused() && (thrown || !results.ok()))
    return Diagnostic{{},
                      fmt::format("it takes more than {} of memory, which is all that a check has for it; a "
                                  "larger --memory-limit gives it more",
                                  base::HumanBytes(static_cast<uint64_t>(memory_bytes)))};
  if (thrown) return Diagnostic{{}, *thrown};
  return results;
}

}  // namespace culprit::check
