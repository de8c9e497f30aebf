// SPDX-License-Identifier: Apache-2.0
//
// The reference of a check whose compiler runs in another environment: eager of that environment's PyTorch,
// so that versions are not compared with each other. The graph in float64 runs here: a wider number is a
// wider number in every version.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "check/model/model.h"
#include "check/run/compiled_model.h"
#include "check/run/graph_model.h"

namespace culprit::check {

class EagerElsewhere : public Model {
 public:
  /// All three outlive it.
  EagerElsewhere(backend::Backend& eager, const graph::Graph& graph, const std::vector<c10::IValue>& inputs)
      : here_(graph), there_(std::make_unique<CompiledModel>(eager, graph, inputs)) {}

  std::unique_ptr<Model> Copy() const override;
  c10::IValue Call(std::vector<c10::IValue>& inputs) override { return there_->Call(inputs); }
  const ModelState& state() const override { return here_.state(); }
  base::Result<std::unique_ptr<Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                              const repro::RunSettings& settings) const override {
    return here_.InFp64(inputs, settings);
  }

 private:
  EagerElsewhere(GraphModel here, std::unique_ptr<Model> there)
      : here_(std::move(here)), there_(std::move(there)) {}

  GraphModel here_;
  std::unique_ptr<Model> there_;
};

/// What a compiled graph is compared with: `elsewhere` (backend::Backend::EagerElsewhere), or eager of this
/// process if that is null. A graph that leaves memory unwritten runs here, where that memory can be filled.
std::unique_ptr<Model> ReferenceFor(backend::Backend* elsewhere, const graph::Graph& graph,
                                    const std::vector<c10::IValue>& inputs);

}  // namespace culprit::check
