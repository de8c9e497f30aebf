// SPDX-License-Identifier: Apache-2.0
#include "backends/eager/eager.h"

#include "graph/run/interpreter.h"

namespace culprit::backends::eager {
namespace {

using backend::Values;

class EagerCompiled : public backend::Compiled {
 public:
  explicit EagerCompiled(const graph::Graph& graph) : interpreter_(graph) {}
  Values Call(Values& inputs) override { return interpreter_.Run(std::move(inputs)); }
  Values CallReporting(Values& inputs, std::optional<graph::Interruption>& interruption) override {
    return interpreter_.Run(std::move(inputs), nullptr, &interruption);
  }
  bool is_thread_safe() const override { return true; }

 private:
  graph::Interpreter interpreter_;
};

class EagerBackend : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& /*inputs*/) override {
    return std::make_unique<EagerCompiled>(graph);
  }
};

}  // namespace

const backend::Description& Eager::description() const {
  static const backend::Description description{"eager",
                                                "libtorch's own kernels, operator by operator; the control"};
  return description;
}

base::Result<std::unique_ptr<backend::Backend>> Eager::Open(const backend::Configuration&) const {
  return std::unique_ptr<backend::Backend>(std::make_unique<EagerBackend>());
}

}  // namespace culprit::backends::eager
