// SPDX-License-Identifier: Apache-2.0
//
// The functional form of a graph as text (autograd/functional/functional_writer.h), without gradients.
#pragma once

#include <vector>

#include "autograd/functional/functional_writer.h"
#include "autograd/functional/memory.h"
#include "autograd/functional/untraceable.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {

/// Behind what the graph returns stands what becomes of its inputs.
inline graph::Graph FunctionalForm(const graph::Graph& graph, const std::vector<c10::IValue>& inputs) {
  const at::NoGradGuard no_grad;
  graph::fake::World world;
  autograd::FunctionalWriter writer(world);
  std::vector<c10::IValue> fakes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const graph::Value& value = graph.value(graph.placeholders()[i].value);
    fakes.push_back(inputs[i].isTensor() ? world.FakeOf(autograd::TwinOf(inputs[i].toTensor())) : inputs[i]);
    writer.AddPlaceholder(value.name, graph.placeholders()[i].kind, value.kind, fakes.back());
  }
  const graph::Interpreter interpreter(graph);
  const graph::fake::Mode mode(world, &writer);
  std::vector<graph::Argument> outputs;
  for (const c10::IValue& output : interpreter.Run(fakes))
    outputs.push_back(writer.ValueOf(output.toTensor()));
  for (const c10::IValue& fake : fakes) {
    if (fake.isTensor() && writer.WrittenInto(fake.toTensor()) != autograd::Written::kNot)
      outputs.push_back(writer.ValueOf(fake.toTensor()));
  }
  return writer.graph().Take("", std::move(outputs));
}

/// Of a graph as text; "untraceable: ..." if it has no such form.
inline std::string FunctionalText(const std::string& text, const std::vector<c10::IValue>& inputs) {
  const graph::Graph graph = ShortGraph(text);
  try {
    return ShortText(FunctionalForm(graph, inputs));
  } catch (const autograd::Untraceable& reason) {
    return std::string("untraceable: ") + reason.what();
  }
}

}  // namespace culprit::tests
