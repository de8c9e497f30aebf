// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/compiled_run.h"

#include "check/query/announce_phases.h"
#include "check/query/query.h"

namespace culprit::check {

base::Result<CompiledRun> RunCompiled(const repro::Repro& repro, uint64_t sample) {
  CompiledRun run{.sample = sample};
  run.only_ran = repro.header.accuracy == repro::Accuracy::kOff;
  run.judgement = {.check = CULPRIT_TRY(RunQuery(repro, AnnouncePhases())),
                   .tolerance = repro.header.compare.tolerance,
                   .against = Against::kEager};
  run.finding = SignCheck(run.judgement.check, CULPRIT_TRY(IgnoredKinds(repro.header)));
  return run;
}

}  // namespace culprit::check
