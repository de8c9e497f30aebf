// SPDX-License-Identifier: Apache-2.0
//
// A backend below autograd that runs graphs operator by operator, and can be watched:
//
//   Watch watch;
//   auto compiled = WithAutograd(std::make_unique<InterpretingBackend>(watch))->Compile(graph, inputs);
//   watch.graphs                         those that it was to compile so far
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "graph/run/interpreter.h"

namespace culprit::tests {

struct Watch {
  std::vector<graph::Graph> graphs;
  /// Hears of every graph before it is compiled; may throw.
  std::function<void(const graph::Graph&)> compiling = [](const graph::Graph&) {};
  /// Hears what a graph returned.
  std::function<void(const std::string& graph, const backend::Values&)> returned =
      [](const std::string&, const backend::Values&) {};
};

class Interpreted : public backend::Compiled {
 public:
  Interpreted(const graph::Graph& graph, Watch& watch)
      : interpreter_(graph), name_(graph.name()), watch_(watch) {}

  backend::Values Call(backend::Values& inputs) override {
    backend::Values results = interpreter_.Run(std::move(inputs));
    inputs.clear();
    watch_.returned(name_, results);
    return results;
  }
  bool is_thread_safe() const override { return true; }

 private:
  const graph::Interpreter interpreter_;
  const std::string name_;
  Watch& watch_;
};

class InterpretingBackend : public backend::Backend {
 public:
  explicit InterpretingBackend(Watch& watch) : watch_(watch) {}

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& /*inputs*/) override {
    watch_.graphs.push_back(graph);
    watch_.compiling(graph);
    return std::make_unique<Interpreted>(graph, watch_);
  }

 private:
  Watch& watch_;
};

}  // namespace culprit::tests
