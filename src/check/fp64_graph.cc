// SPDX-License-Identifier: Apache-2.0
#include "check/fp64_graph.h"

#include <algorithm>

#include "check/graph_model.h"
#include "graph/cast_to_fp64.h"
#include "graph/hoist_random.h"
#include "graph/recording.h"
#include "graph/tensor_copy.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

/// The cast graph, which takes what random operators drew as further inputs: nobody outside has to know.
class Fp64Graph : public Model {
 public:
  Fp64Graph(const graph::Graph& cast, const Values& drawn)
      : graph_(cast), drawn_(graph::CastInputsToFp64(drawn)) {}

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

base::Result<graph::HoistedGraph> WithoutRandomOperators(const graph::Graph& graph, const Values& inputs,
                                                         repro::RunSettings settings) {
  const bool is_random = std::any_of(graph.nodes().begin(), graph.nodes().end(), graph::DrawsRandomNumbers);
  if (!is_random) return graph::HoistedGraph{graph, {}};
  // Numbers are drawn alike in these modes, but tensors that were made in inference mode are of no use later.
  settings.grad = false;
  settings.inference = false;
  const repro::RunScope scope(settings);
  return graph::HoistRandom(graph, graph::Record(graph, graph::CopyAll(inputs)));
}

}  // namespace

repro::RunSettings SettingsInFp64(repro::RunSettings settings) {
  settings.default_dtype = at::kDouble;
  settings.autocast.reset();
  return settings;
}

base::Result<std::unique_ptr<Model>> GraphInFp64(const graph::Graph& graph, const Values& inputs,
                                                 const repro::RunSettings& settings) {
  const graph::HoistedGraph hoisted = CULPRIT_TRY(WithoutRandomOperators(graph, inputs, settings));
  const graph::Graph cast = CULPRIT_TRY(graph::CastToFp64(hoisted.graph));
  return std::unique_ptr<Model>(std::make_unique<Fp64Graph>(cast, hoisted.added_inputs));
}

base::Result<Values> RunInFp64(const graph::Graph& graph, const Values& inputs, uint64_t seed) {
  const repro::RunSettings settings{.grad = false, .seed = seed};
  const std::unique_ptr<Model> model = CULPRIT_TRY(GraphInFp64(graph, inputs, settings));
  const repro::RunScope scope(SettingsInFp64(settings));
  Values cast = graph::CastInputsToFp64(inputs);
  return model->Call(cast).toTupleRef().elements().vec();
}

}  // namespace culprit::check
