// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/find_ranges.h"

#include <ATen/core/grad_mode.h>

#include "graph/fake/mode.h"
#include "graph/inputs/range_finder.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/generator_scope.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph::inputs {
namespace {

// Whatever ends the run is not ours to report: the caller runs the graph for its own sake.
FoundRanges FoundBy(RangeFinder& finder, const Graph& graph, std::vector<c10::IValue> values) {
  bool complete = false;
  try {
    Interpreter(graph).Run(std::move(values), &finder);
    complete = true;
  } catch (const std::exception&) {
  }
  FoundRanges found = finder.TakeRanges();
  found.complete = complete;
  return found;
}

// Nothing where a tensor cannot be fake: it is sparse, for example.
std::optional<std::vector<c10::IValue>> FakesOf(fake::World& world, const std::vector<c10::IValue>& inputs) {
  std::vector<c10::IValue> fakes;
  try {
    for (const c10::IValue& input : inputs)
      fakes.push_back(input.isTensor() ? c10::IValue(world.FakeOf(input.toTensor())) : input);
  } catch (const c10::NotImplementedError&) {
    return std::nullopt;
  }
  return fakes;
}

}  // namespace

FoundRanges FindRangesBySizes(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  const at::NoGradGuard no_grad;
  const GeneratorScope generator;
  RangeFinder finder(graph);
  fake::World world;
  std::optional<std::vector<c10::IValue>> fakes = FakesOf(world, inputs);
  if (!fakes) return finder.TakeRanges();
  const fake::Mode mode(world);
  return FoundBy(finder, graph, std::move(*fakes));
}

FoundRanges FindRangesByRunning(const Graph& graph, const std::vector<c10::IValue>& inputs,
                                int64_t most_bytes) {
  const at::NoGradGuard no_grad;
  const GeneratorScope generator;
  RangeFinder finder(graph, most_bytes);
  return FoundBy(finder, graph, CopyAll(inputs));
}

FoundRanges FindRanges(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  FoundRanges by_sizes = FindRangesBySizes(graph, inputs);
  if (by_sizes.complete) return by_sizes;
  FoundRanges found = FindRangesByRunning(graph, inputs);
  for (size_t i = 0; i < found.inputs.size(); ++i) Narrow(found.inputs[i], by_sizes.inputs[i]);
  for (size_t i = 0; i < found.constants.size(); ++i) Narrow(found.constants[i], by_sizes.constants[i]);
  return found;
}

}  // namespace culprit::graph::inputs
