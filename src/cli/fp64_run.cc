// SPDX-License-Identifier: Apache-2.0
#include "cli/fp64_run.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "graph/cast_to_fp64.h"
#include "graph/hoist_random.h"
#include "graph/interpreter.h"
#include "graph/recording.h"
#include "graph/tensor_copy.h"

namespace culprit::cli {
namespace {

base::Result<graph::HoistedGraph> WithoutRandomOperators(const graph::Graph& graph,
                                                         const std::vector<c10::IValue>& inputs,
                                                         uint64_t seed) {
  const bool is_random = std::any_of(graph.nodes().begin(), graph.nodes().end(), graph::DrawsRandomNumbers);
  if (!is_random) return graph::HoistedGraph{graph, {}};
  at::manual_seed(seed);
  return graph::HoistRandom(graph, graph::Record(graph, graph::CopyAll(inputs)));
}

}  // namespace

base::Result<std::vector<c10::IValue>> RunInFp64(const graph::Graph& graph,
                                                 const std::vector<c10::IValue>& inputs, uint64_t seed) {
  const graph::HoistedGraph hoisted = CULPRIT_TRY(WithoutRandomOperators(graph, inputs, seed));
  const graph::Graph cast = CULPRIT_TRY(graph::CastToFp64(hoisted.graph));
  std::vector<c10::IValue> all_inputs = inputs;
  all_inputs.insert(all_inputs.end(), hoisted.added_inputs.begin(), hoisted.added_inputs.end());
  const at::NoGradGuard no_grad;
  const graph::Fp64Scope scope;
  return graph::Interpreter(cast).Run(graph::CastInputsToFp64(all_inputs));
}

}  // namespace culprit::cli
