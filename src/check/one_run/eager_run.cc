// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/eager_run.h"

#include "check/query/announce_phases.h"
#include "check/run/graph_model.h"
#include "check/run/run_in_fp64.h"
#include "check/run/run_model.h"
#include "check/verdict/same_two_models.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

Values OutputsOf(const std::vector<Results>& calls) {
  return calls.at(0).outputs.toTupleRef().elements().vec();
}

base::Result<Distances> DistancesFromFp64(const repro::Repro& repro, const Values& outputs,
                                          const RunOptions& run, const std::string& file) {
  const auto wide = RunInFp64(GraphModel(repro.graph), repro.inputs, run);
  if (wide.ok()) return DistancesBetween(outputs, OutputsOf(*wide));
  base::Diagnostic error{{file}, "cannot be run in float64: " + wide.error().message};
  error.help = "run it without --fp64";
  return error;
}

}  // namespace

base::Result<EagerRun> RunEager(const repro::Repro& repro, FailingNode& failing_node, Distant distant,
                                const std::string& file) {
  const RunOptions run{.settings = repro.header.run, .only_forward = true};
  const auto announce = AnnouncePhases();
  announce(kEagerPhase);
  const RunEnd outcome = RunModel(GraphModel(repro.graph, &failing_node), repro.inputs, run);
  if (!outcome.ok()) return failing_node.Describe(*outcome.failure);
  const Values outputs = OutputsOf(outcome.calls);
  EagerRun eager;
  for (size_t i = 0; i < outputs.size(); ++i) eager.outputs.push_back(Summarise(repro.graph, i, outputs[i]));
  if (distant == Distant::kNo) return eager;
  announce(kFp64Phase);
  eager.distances = CULPRIT_TRY(DistancesFromFp64(repro, outputs, run, file));
  return eager;
}

}  // namespace culprit::check
