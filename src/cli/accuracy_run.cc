// SPDX-License-Identifier: Apache-2.0
#include "cli/accuracy_run.h"

#include <fmt/format.h>

#include "check/clone_inputs.h"
#include "check/fp64_graph.h"
#include "check/graph_model.h"
#include "check/run_model.h"
#include "check/thrown.h"
#include "compare/compare.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;

Result<std::unique_ptr<check::Model>> ModelInFp64(const repro::Repro& repro) {
  Result<std::unique_ptr<check::Model>> model = Diagnostic{};
  const auto message = check::MessageOfThrown(
      [&] { model = check::GraphInFp64(repro.graph, repro.inputs, repro.header.run); });
  if (message) return Diagnostic{{}, *message};
  return model;
}

}  // namespace

Result<compare::Verdict> CompareWithFp64(const repro::Repro& repro) {
  check::RunOptions run{
      .settings = repro.header.run, .only_forward = repro.header.only_forward, .calls = repro.header.calls};
  const check::Outcome result = check::RunModel(check::GraphModel(repro.graph), repro.inputs, run);
  if (!result.ok())
    return Diagnostic{{}, fmt::format("the graph fails in eager mode, {}", result.failure->ToString())};
  const Result<std::unique_ptr<check::Model>> fp64 = ModelInFp64(repro);
  if (!fp64.ok())
    return Diagnostic{{}, fmt::format("could not generate fp64 outputs: {}", fp64.error().message)};
  run.settings = check::SettingsInFp64(run.settings);
  const check::Outcome reference = check::RunModel(**fp64, check::CloneInputsInFp64(repro.inputs), run);
  if (!reference.ok())
    return Diagnostic{{}, fmt::format("could not generate fp64 outputs: {}", reference.failure->ToString())};
  compare::Options options = repro.header.compare;
  options.exact_dtype = false;
  options.equal_nan = true;
  options.always_detail = true;
  options.ignore_non_float = options.ignore_non_float || repro.header.accuracy == repro::Accuracy::kOn;
  return compare::Compare(check::AsTree(reference.calls, /*with_state=*/true),
                          check::AsTree(result.calls, /*with_state=*/true), std::nullopt, options);
}

}  // namespace culprit::cli
