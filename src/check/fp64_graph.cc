// SPDX-License-Identifier: Apache-2.0
#include "check/fp64_graph.h"

#include <algorithm>

#include "check/graph_model.h"
#include "graph/cast_to_fp64.h"
#include "graph/explicit_copies.h"
#include "graph/hoist_random.h"
#include "graph/recording.h"
#include "graph/tensor_copy.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

/// The cast graph, which takes what random operators drew as further inputs: nobody outside has to know.
class Fp64Graph : public Model {
 public:
  Fp64Graph(const graph::Graph& cast, Values drawn) : graph_(cast), drawn_(std::move(drawn)) {}

  std::unique_ptr<Model> Copy() const override { return std::make_unique<Fp64Graph>(*this); }

  c10::IValue Call(Values& inputs) override {
    // Copies, since the graph may write into them.
    for (c10::IValue& drawn : graph::CopyAll(drawn_)) inputs.push_back(std::move(drawn));
    return graph_.Call(inputs);
  }

  const ModelState& state() const override { return graph_.state(); }

  base::Result<std::unique_ptr<Model>> InFp64(const Values& /*inputs*/,
                                              const repro::RunSettings& /*settings*/) const override {
    return Copy();
  }

 private:
  GraphModel graph_;
  Values drawn_;
};

base::Result<graph::HoistedGraph> WithoutRandomOperators(const graph::Graph& graph, const Values& inputs) {
  const bool is_random = std::any_of(graph.nodes().begin(), graph.nodes().end(), graph::DrawsRandomNumbers);
  if (!is_random) return graph::HoistedGraph{graph, {}};
  return graph::HoistRandom(graph, graph::Record(graph, graph::CopyAll(inputs)));
}

/// What can be cast, in its own precision still.
base::Result<graph::HoistedGraph> Prepared(const graph::Graph& graph, const Values& inputs,
                                           repro::RunSettings settings) {
  // Numbers are drawn alike in these modes, but tensors that were made in inference mode are of no use later.
  settings.grad = false;
  settings.inference = false;
  const repro::RunScope scope(settings);
  graph::HoistedGraph hoisted = CULPRIT_TRY(WithoutRandomOperators(graph, inputs));
  Values all = inputs;
  all.insert(all.end(), hoisted.added_inputs.begin(), hoisted.added_inputs.end());
  hoisted.graph = graph::MakeCopiesExplicit(hoisted.graph, graph::CopyAll(all));
  return hoisted;
}

}  // namespace

repro::RunSettings SettingsInFp64(repro::RunSettings settings) {
  settings.default_dtype = at::kDouble;
  settings.autocast.reset();
  return settings;
}

base::Result<std::unique_ptr<Model>> GraphInFp64(const graph::Graph& graph, const Values& inputs,
                                                 const repro::RunSettings& settings) {
  const graph::HoistedGraph prepared = CULPRIT_TRY(Prepared(graph, inputs, settings));
  const graph::Graph cast = CULPRIT_TRY(graph::CastToFp64(prepared.graph));
  Values drawn = CULPRIT_TRY(graph::CastInputsToFp64(prepared.added_inputs));
  return std::unique_ptr<Model>(std::make_unique<Fp64Graph>(cast, std::move(drawn)));
}

}  // namespace culprit::check
