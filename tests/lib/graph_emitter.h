// SPDX-License-Identifier: Apache-2.0
//
// For tests: an emitter with a graph of its own, which can be asked for the numbers of what it was given.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/run/interpreter.h"
#include "graph/translate/expansion.h"

namespace culprit::graph::translate {

class GraphEmitter : public Emitter {
 public:
  /// A placeholder that gets this tensor.
  Argument Input(at::Tensor tensor) {
    inputs_.emplace_back(std::move(tensor));
    return graph_.AddPlaceholder(fmt::format("arg{}_1", inputs_.size()));
  }

  base::Result<std::vector<ValueId>> Emit(std::string_view op, WrittenArguments arguments) override {
    const Operator& target = Operator::Get(op);
    std::vector<Argument> bound = CULPRIT_TRY(BindArguments(graph_, target, std::move(arguments)));
    std::vector<std::string> names;
    for (size_t i = 0; i < target.results()->size(); ++i) {
      names.push_back(fmt::format("v{}_{}", graph_.nodes().size(), i));
    }
    return graph_.AddNode(target, std::move(bound), std::move(names)).results;
  }

  /// Runs the graph for these results; an undefined tensor for None.
  std::vector<c10::IValue> Run(std::vector<Argument> results) {
    graph_.SetOutputs(std::move(results));
    const c10::NoGradGuard no_grad;
    return Interpreter(graph_).Run(inputs_);
  }

 private:
  Graph graph_;
  std::vector<c10::IValue> inputs_;
};

}  // namespace culprit::graph::translate
