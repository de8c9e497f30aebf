// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/run_on_fakes.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "base/internal_error.h"
#include "compiler/lower/lower.h"
#include "graph/fake/mode.h"
#include "graph/run/interpreter.h"

namespace culprit::compiler::lower {
namespace {

class Keep : public graph::Observer {
 public:
  explicit Keep(const graph::Graph& graph) : graph_(graph), values_(graph.values().size()) {}

  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    const std::vector<graph::ValueId>& values = graph_.node(node).results;
    for (size_t i = 0; i < values.size(); ++i) values_[Index(values[i])] = results[i];
  }

  std::vector<c10::IValue>& values() { return values_; }

 private:
  const graph::Graph& graph_;
  std::vector<c10::IValue> values_;
};

c10::IValue FakeOf(graph::fake::World& world, const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return value;
  return world.FakeOf(value.toTensor());
}

}  // namespace

std::vector<c10::IValue> RunOnFakes(const graph::Graph& graph, const std::vector<c10::IValue>& inputs) {
  CULPRIT_CHECK(inputs.size() == graph.placeholders().size(), "{} inputs for {} placeholders", inputs.size(),
                graph.placeholders().size());
  const c10::AutoGradMode no_grad(false);
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  graph::fake::World world;
  const graph::fake::Mode mode(world);
  Keep keep(graph);
  try {
    std::vector<c10::IValue> fakes;
    for (size_t i = 0; i < inputs.size(); ++i) {
      fakes.push_back(FakeOf(world, inputs[i]));
      keep.values()[Index(graph.placeholders()[i].value)] = fakes.back();
    }
    for (const graph::TensorConstant& constant : graph.constants())
      keep.values()[Index(constant.value)] = FakeOf(world, constant.tensor);
    graph::Interpreter(graph).Run(std::move(fakes), &keep);
  } catch (const c10::Error& error) {
    throw NotLowerable(error.what_without_backtrace());
  } catch (const graph::fake::DataDependent& error) {
    throw NotLowerable(error.what());
  } catch (const std::runtime_error& error) {
    throw NotLowerable(error.what());
  }
  return std::move(keep.values());
}

}  // namespace culprit::compiler::lower
