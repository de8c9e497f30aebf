// SPDX-License-Identifier: Apache-2.0
//
// A compiler that fails when its input says so: the last input of a graph holds the number of what happens.
#pragma once

#include <ATen/ops/full.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "backend/backend.h"
#include "graph/run/interpreter.h"

namespace culprit::tests {

enum class Injected : int { kNothing, kException, kWrongNumbers };

inline at::Tensor CodeOf(Injected injected) {
  return at::full({}, static_cast<int>(injected), at::kInt);
}

class InjectingCompiled : public backend::Compiled {
 public:
  explicit InjectingCompiled(const graph::Graph& graph) : interpreter_(graph) {}

  backend::Values Call(backend::Values& inputs) override {
    const auto injected = static_cast<Injected>(inputs.back().toTensor().item<int>());
    backend::Values outputs = interpreter_.Run(std::move(inputs));
    inputs.clear();
    if (injected == Injected::kException) throw std::runtime_error("injected");
    if (injected == Injected::kWrongNumbers) outputs[0] = outputs[0].toTensor().add(1);
    return outputs;
  }
  bool is_thread_safe() const override { return true; }

 private:
  const graph::Interpreter interpreter_;
};

class InjectingBackend : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& /*inputs*/) override {
    return std::make_unique<InjectingCompiled>(graph);
  }
};

}  // namespace culprit::tests
