// SPDX-License-Identifier: Apache-2.0
//
// A small graph as text (tests/lib/short_graph.h), compiled below autograd by a backend that is watched.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/with_autograd.h"
#include "graph/run/interpreter.h"
#include "tests/lib/interpreting_backend.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {

class WatchedProgram {
 public:
  explicit WatchedProgram(const std::string& text, autograd::AutogradOptions options = {})
      : graph_(ShortGraph(text)) {
    graph_.set_name("net_0_captured");
    options.log = [this](const std::string& line) { log += line + "\n"; };
    backend_ = autograd::WithAutograd(std::make_unique<InterpretingBackend>(watch), std::move(options));
  }

  /// Compiled at the first call.
  backend::Values operator()(backend::Values inputs) {
    if (!compiled_) compiled_ = backend_->Compile(graph_, inputs);
    return compiled_->Call(inputs);
  }
  at::Tensor First(const backend::Values& inputs) { return (*this)(inputs).at(0).toTensor(); }

  /// As libtorch computes it.
  backend::Values Plain(backend::Values inputs) const {
    return graph::Interpreter(graph_).Run(std::move(inputs));
  }

  std::vector<std::string> CompiledNames() const {
    std::vector<std::string> names;
    for (const graph::Graph& graph : watch.graphs) names.push_back(graph.name());
    return names;
  }

  Watch watch;
  /// Why it ran as it is.
  std::string log;

 private:
  graph::Graph graph_;
  std::unique_ptr<backend::Backend> backend_;
  std::unique_ptr<backend::Compiled> compiled_;
};

}  // namespace culprit::tests
