// SPDX-License-Identifier: Apache-2.0
//
// What a backend makes of a graph, as a model. Every copy is compiled anew, since what was compiled may
// change from call to call; compiling is the first thing that a run does, and it can fail like any other.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "check/model/model.h"

namespace culprit::check {

class CompiledModel : public Model {
 public:
  /// The graph is valid; the inputs are what the compiler is shown. Both are kept and never written into: the
  /// compiler gets copies.
  CompiledModel(backend::Backend& backend, const graph::Graph& graph, const std::vector<c10::IValue>& inputs)
      : backend_(backend), graph_(graph), inputs_(inputs) {}

  /// Compiles, and throws what the compiler throws.
  std::unique_ptr<Model> Copy() const override;
  c10::IValue Call(std::vector<c10::IValue>& inputs) override;
  const ModelState& state() const override;
  /// A compiler has no float64 twin: the graph has.
  base::Result<std::unique_ptr<Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                              const repro::RunSettings& settings) const override;

 private:
  backend::Backend& backend_;
  const graph::Graph& graph_;
  const std::vector<c10::IValue>& inputs_;
  std::unique_ptr<backend::Compiled> compiled_;
};

}  // namespace culprit::check
