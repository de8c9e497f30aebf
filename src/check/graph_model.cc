// SPDX-License-Identifier: Apache-2.0
#include "check/graph_model.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/text.h"
#include "check/fp64_graph.h"
#include "check/rounding_observer.h"
#include "graph/own_constants.h"

namespace culprit::check {
struct GraphModel::Program {
  explicit Program(graph::Graph owned) : graph(std::move(owned)), interpreter(graph) {}

  graph::Graph graph;
  graph::Interpreter interpreter;
};

GraphModel::GraphModel(const graph::Graph& graph, graph::Observer* observer)
    : program_(std::make_shared<const Program>(graph::WithOwnConstants(graph))), observer_(observer) {}

GraphModel GraphModel::Owning(graph::Graph graph) {
  return GraphModel(std::make_shared<const Program>(std::move(graph)));
}

/// Observed anew in every call.
class GraphModel::RoundedGraph : public GraphModel {
 public:
  RoundedGraph(const GraphModel& model, RoundingTrial& rounding) : GraphModel(model), rounding_(rounding) {}

  std::unique_ptr<Model> Copy() const override { return std::make_unique<RoundedGraph>(*this); }
  c10::IValue Call(std::vector<c10::IValue>& inputs) override {
    RoundingObserver observer(program_->graph, rounding_);
    GraphModel observed(program_);
    observed.observer_ = &observer;
    return observed.Call(inputs);
  }

 private:
  RoundingTrial& rounding_;
};

c10::IValue GraphModel::Call(std::vector<c10::IValue>& inputs) {
  const size_t wanted = program_->graph.placeholders().size();
  if (inputs.size() != wanted)
    throw std::invalid_argument(
        fmt::format("the graph takes {}, not {}", base::Counted(wanted, "input"), inputs.size()));
  return c10::ivalue::Tuple::create(program_->interpreter.Run(std::move(inputs), observer_));
}

const ModelState& GraphModel::state() const {
  static const ModelState& none = *new ModelState;
  return none;
}

base::Result<std::unique_ptr<Model>> GraphModel::InFp64(const std::vector<c10::IValue>& inputs,
                                                        const repro::RunSettings& settings) const {
  return GraphInFp64(program_->graph, inputs, settings);
}

std::unique_ptr<Model> GraphModel::Rounded(RoundingTrial& rounding) const {
  return std::make_unique<RoundedGraph>(*this, rounding);
}

}  // namespace culprit::check
