// SPDX-License-Identifier: Apache-2.0
#include "cli/accuracy_run.h"

#include "check/query/announce_phases.h"
#include "check/run/graph_model.h"

namespace culprit::cli {

Judgement JudgeAgainstFp64(const repro::Repro& repro, std::optional<double> tolerance,
                           graph::Observer* observer) {
  const repro::Header& header = repro.header;
  check::CheckOptions options{
      .run = {.settings = header.run, .only_forward = header.only_forward, .calls = header.calls},
      .compare = header.compare,
      .always_noise = true};
  options.run.announce = check::AnnouncePhases();
  options.compare.equal_nan = true;
  options.compare.always_detail = true;
  options.compare.ignore_non_float |= header.accuracy == repro::Accuracy::kOn;

  Judgement judgement;
  if (!tolerance && header.compare.tolerance == compare::Options{}.tolerance)
    judgement.rounding = check::CoarseRounding(repro.graph, repro.inputs, header.run);
  if (judgement.rounding) options.compare.tolerance = judgement.rounding->tolerance;
  options.compare.tolerance = tolerance.value_or(options.compare.tolerance);
  judgement.tolerance = options.compare.tolerance;
  judgement.check = check::NearFp64(check::GraphModel(repro.graph, observer), repro.inputs, options);
  return judgement;
}

}  // namespace culprit::cli
