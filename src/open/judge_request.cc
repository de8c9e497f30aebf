// SPDX-License-Identifier: Apache-2.0
#include "open/judge_request.h"

namespace culprit::open {

void JudgeRequest::Apply(repro::Header& header) const {
  header.run.seed = seed.value_or(header.run.seed);
  if (seed) header.run.generator_state.clear();
  if (accuracy) {
    header.accuracy = accuracy;
    header.compare.ignore_non_float = false;
  }
  if (tolerance) header.compare.tolerance = *tolerance;
  header.calls = static_cast<int>(calls.value_or(header.calls));
  if (autocast) header.run.autocast = repro::Autocast{};
  header.only_forward = header.only_forward || only_forward;
}

}  // namespace culprit::open
