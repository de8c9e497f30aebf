// SPDX-License-Identifier: Apache-2.0
#include "check/run_in_fp64.h"

#include <ATen/ops/equal.h>

#include "check/clone_inputs.h"
#include "check/fp64_graph.h"
#include "check/return_unwritten.h"
#include "check/thrown.h"

namespace culprit::check {
namespace {

using base::Diagnostic;
using base::Result;
using Values = std::vector<c10::IValue>;

bool HoldsNumbersOf(const c10::IValue& original, const c10::IValue& cast) {
  if (!original.isTensor() || !cast.isTensor()) return true;
  const at::Tensor& numbers = cast.toTensor();
  const at::NoGradGuard no_grad;
  return !numbers.defined() || !original.toTensor().is_cpu() ||
         at::equal(numbers, original.toTensor().to(numbers.scalar_type()));
}

/// The run got these copies themselves, so that only their numbers tell whether it wrote into them.
void ReturnCast(const Values& originals, Results& results) {
  for (size_t i = 0; i < results.inputs.size(); ++i)
    results.unwritten[i] = results.unwritten[i] && HoldsNumbersOf(originals[i], results.inputs[i]);
  ReturnUnwritten(originals, results);
}

Result<std::vector<Results>> Run(const Model& model, const Values& inputs, RunOptions options) {
  const std::unique_ptr<Model> twin = CULPRIT_TRY(model.InFp64(inputs, options.settings));
  const Values cast = CULPRIT_TRY(CloneInputsInFp64(inputs));
  options.settings = SettingsInFp64(options.settings);
  // These are copies already; only further calls need them as they were.
  options.no_clone = options.calls == 1;
  options.announce = nullptr;
  Outcome outcome = RunModel(*twin, cast, options);
  if (!outcome.ok()) return Diagnostic{{}, outcome.failure->ToString()};
  for (Results& results : outcome.calls) ReturnCast(inputs, results);
  return std::move(outcome.calls);
}

}  // namespace

Result<std::vector<Results>> RunInFp64(const Model& model, const Values& inputs, RunOptions options) {
  Result<std::vector<Results>> results = Diagnostic{};
  const auto thrown = MessageOfThrown([&] { results = Run(model, inputs, std::move(options)); });
  if (thrown) return Diagnostic{{}, *thrown};
  return results;
}

}  // namespace culprit::check
