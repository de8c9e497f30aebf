// SPDX-License-Identifier: Apache-2.0
#include "check/run_in_fp64.h"

#include "check/clone_inputs.h"
#include "check/fp64_graph.h"
#include "check/thrown.h"

namespace culprit::check {
namespace {

using base::Diagnostic;
using base::Result;
using Values = std::vector<c10::IValue>;

Result<std::vector<Results>> Run(const Model& model, const Values& inputs, RunOptions options) {
  const std::unique_ptr<Model> twin = CULPRIT_TRY(model.InFp64(inputs, options.settings));
  const Values cast = CULPRIT_TRY(CloneInputsInFp64(inputs));
  options.settings = SettingsInFp64(options.settings);
  options.no_clone = false;
  options.announce = nullptr;
  Outcome outcome = RunModel(*twin, cast, options);
  if (!outcome.ok()) return Diagnostic{{}, outcome.failure->ToString()};
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
