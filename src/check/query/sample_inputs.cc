// SPDX-License-Identifier: Apache-2.0
#include "check/query/sample_inputs.h"

#include "graph/inputs/draw_inputs.h"
#include "repro/describe_inputs.h"

namespace culprit::check {

base::Result<repro::Repro> WithSample(const repro::Repro& repro, uint64_t sample) {
  if (sample == 0) return repro;
  repro::DescribedInputs described = CULPRIT_TRY(repro::DescribeInputs(repro.graph, repro.inputs));
  graph::inputs::MadeInputs drawn = CULPRIT_TRY(
      graph::inputs::DrawInputs(repro.graph, described.specs, {.seed = repro.header.run.seed + sample}));
  repro::Repro sampled = repro;
  for (size_t i = 0; i < sampled.inputs.size(); ++i) {
    if (repro.graph.placeholders()[i].kind == graph::PlaceholderKind::kInput)
      sampled.inputs[i] = std::move(drawn.values[i]);
  }
  return sampled;
}

}  // namespace culprit::check
