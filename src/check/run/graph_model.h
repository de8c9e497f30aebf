// SPDX-License-Identifier: Apache-2.0
//
// A graph as a model, run by the eager interpreter: the reference of every check. It keeps a copy of the
// graph, constants included, so whatever compilers do to theirs does not reach it.
#pragma once

#include <functional>
#include <memory>

#include "check/model/model.h"
#include "graph/ir/graph.h"
#include "graph/run/interpreter.h"

namespace culprit::check {

class GraphModel : public Model {
 public:
  /// The graph must be valid (graph/ir/verify.h). The observer, if there is one, sees every node of every
  /// call, of copies too; not of the float64 version.
  explicit GraphModel(const graph::Graph& graph, graph::Observer* observer = nullptr);
  /// Of a graph whose constants nobody else has, so that they need not be copied.
  static GraphModel Owning(graph::Graph graph);

  /// A graph has no state, so copies share everything.
  std::unique_ptr<Model> Copy() const override { return std::make_unique<GraphModel>(*this); }
  /// Gives a tuple. A wrong number of inputs throws, as every error of the call.
  c10::IValue Call(std::vector<c10::IValue>& inputs) override;
  const ModelState& state() const override;
  /// fp64_graph.h.
  base::Result<std::unique_ptr<Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                              const repro::RunSettings& settings) const override;
  std::unique_ptr<Model> Rounded(RoundingTrial& rounding) const override;
  std::unique_ptr<Model> Filled(Filling filling) const override;

 private:
  using MakeObserver = std::function<std::unique_ptr<graph::Observer>(const graph::Graph& graph)>;
  class ObservedGraph;
  struct Program;
  explicit GraphModel(std::shared_ptr<const Program> program)
      : program_(std::move(program)), observer_(nullptr) {}

  std::shared_ptr<const Program> program_;
  graph::Observer* observer_;
};

}  // namespace culprit::check
