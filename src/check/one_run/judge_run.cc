// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/judge_run.h"

#include "check/query/announce_phases.h"
#include "check/run/graph_model.h"

namespace culprit::check {

Judgement JudgeAgainstFp64(const repro::Repro& repro, std::optional<double> tolerance,
                           graph::Observer* observer) {
  const repro::Header& header = repro.header;
  CheckOptions options{
      .run = {.settings = header.run, .only_forward = header.only_forward, .calls = header.calls},
      .compare = header.compare,
      .always_noise = true};
  options.run.announce = AnnouncePhases();
  options.compare.equal_nan = true;
  options.compare.always_detail = true;
  options.compare.ignore_non_float |= header.accuracy == repro::Accuracy::kOn;

  Judgement judgement;
  if (!tolerance && header.compare.tolerance == compare::Options{}.tolerance)
    judgement.rounding = CoarseRounding(repro.graph, repro.inputs, header.run);
  if (judgement.rounding) options.compare.tolerance = judgement.rounding->tolerance;
  options.compare.tolerance = tolerance.value_or(options.compare.tolerance);
  judgement.tolerance = options.compare.tolerance;
  judgement.check = NearFp64(GraphModel(repro.graph, observer), repro.inputs, options);
  return judgement;
}

}  // namespace culprit::check
