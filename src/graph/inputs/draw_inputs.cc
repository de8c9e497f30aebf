// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/draw_inputs.h"

#include "graph/inputs/draw_in_range.h"
#include "graph/inputs/find_ranges.h"
#include "graph/passes/map_devices.h"

namespace culprit::graph::inputs {
namespace {

// Bounds only become smaller, but a strange graph could make that take long.
constexpr int kMostRounds = 32;

bool NarrowAll(InputRanges& ranges, const InputRanges& found, const std::vector<size_t>& random) {
  bool narrowed = false;
  for (const size_t input : random) narrowed = Narrow(ranges[input], found[input]) || narrowed;
  return narrowed;
}

base::Result<MadeInputs> MakeInRanges(InputSpecs specs, const InputRanges& ranges,
                                      const MakeInputsOptions& options) {
  DrawUnknown(specs, ranges, options.seed);
  return MakeInputs(specs, options);
}

}  // namespace

base::Result<MadeInputs> DrawInputs(const Graph& graph, const InputSpecs& specs,
                                    const MakeInputsOptions& options) {
  MakeInputsOptions undrawn = options;
  undrawn.draw = false;
  MadeInputs made = CULPRIT_TRY(MakeInputs(specs, undrawn));
  if (made.random.empty()) return made;
  if (NonCpuDevice(graph)) return MakeInputs(specs, options);
  const std::vector<size_t> random = std::move(made.random);
  InputRanges ranges(specs.inputs.size());
  FoundRanges found = FindRangesBySizes(graph, made.values);
  NarrowAll(ranges, found.inputs, random);
  made = CULPRIT_TRY(MakeInRanges(specs, ranges, options));
  for (int round = 0; round < kMostRounds && !found.complete; ++round) {
    found = FindRangesByRunning(graph, made.values);
    if (!NarrowAll(ranges, found.inputs, random)) break;
    made = CULPRIT_TRY(MakeInRanges(specs, ranges, options));
  }
  made.random = random;
  return made;
}

}  // namespace culprit::graph::inputs
