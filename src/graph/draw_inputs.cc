// SPDX-License-Identifier: Apache-2.0
#include "graph/draw_inputs.h"

#include "graph/draw_in_range.h"
#include "graph/map_devices.h"

namespace culprit::graph {
namespace {

// Bounds only become smaller, but a strange graph could make that take long.
constexpr int kMostRounds = 32;

}  // namespace

base::Result<MadeInputs> DrawInputs(const Graph& graph, const InputSpecs& specs,
                                    const MakeInputsOptions& options) {
  MadeInputs made = CULPRIT_TRY(MakeInputs(specs, options));
  if (made.random.empty() || NonCpuDevice(graph)) return made;
  const std::vector<size_t> random = std::move(made.random);
  InputRanges ranges(specs.inputs.size());
  for (int round = 0; round < kMostRounds; ++round) {
    const FoundRanges found = FindInputRanges(graph, made.values);
    bool narrowed = false;
    for (const size_t input : random) narrowed = Narrow(ranges[input], found.inputs[input]) || narrowed;
    if (!narrowed) break;
    InputSpecs drawn = specs;
    DrawUnknown(drawn, ranges, options.seed);
    made = CULPRIT_TRY(MakeInputs(drawn, options));
    if (found.complete) break;
  }
  made.random = random;
  return made;
}

}  // namespace culprit::graph
