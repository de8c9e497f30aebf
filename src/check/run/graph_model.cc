// SPDX-License-Identifier: Apache-2.0
#include "check/run/graph_model.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/text.h"
#include "check/noise/fill_observer.h"
#include "check/noise/move_at_use.h"
#include "check/noise/rounding_observer.h"
#include "check/run/fp64_graph.h"
#include "graph/passes/own_constants.h"

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

namespace {

/// Two observers in the place of one, which may be missing.
class BothObservers : public graph::Observer {
 public:
  BothObservers(graph::Observer* first, graph::Observer& second) : first_(first), second_(second) {}

  void Before(graph::NodeId node, const torch::jit::Stack& arguments) override {
    if (first_ != nullptr) first_->Before(node, arguments);
    second_.Before(node, arguments);
  }
  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    if (first_ != nullptr) first_->After(node, results);
    second_.After(node, results);
  }

 private:
  graph::Observer* first_;
  graph::Observer& second_;
};

}  // namespace

/// By an observer of its own in every call, beside that of the model.
class GraphModel::ObservedGraph : public GraphModel {
 public:
  ObservedGraph(const GraphModel& model, MakeObserver make_observer)
      : GraphModel(model), make_observer_(std::move(make_observer)) {}

  std::unique_ptr<Model> Copy() const override { return std::make_unique<ObservedGraph>(*this); }
  c10::IValue Call(std::vector<c10::IValue>& inputs) override {
    const std::unique_ptr<graph::Observer> observer = make_observer_(program_->graph);
    BothObservers both(observer_, *observer);
    GraphModel observed(program_);
    observed.observer_ = &both;
    return observed.Call(inputs);
  }

 private:
  MakeObserver make_observer_;
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
  const auto observed = [&rounding](std::vector<MovedCopy> copies) {
    return [&rounding, copies = std::move(copies)](const graph::Graph& graph) {
      return std::make_unique<RoundingObserver>(graph, rounding, copies);
    };
  };
  if (!rounding.moves_inputs) return std::make_unique<ObservedGraph>(*this, observed({}));
  // The observer of the model knows other nodes.
  MovableGraph movable = CopyWhereMoved(program_->graph);
  return std::make_unique<ObservedGraph>(Owning(std::move(movable.graph)),
                                         observed(std::move(movable.copies)));
}

std::unique_ptr<Model> GraphModel::Filled(Filling filling) const {
  if (!LeavesMemoryUnwritten(program_->graph)) return nullptr;
  return std::make_unique<ObservedGraph>(
      *this, [filling](const graph::Graph& graph) { return std::make_unique<FillObserver>(graph, filling); });
}

}  // namespace culprit::check
