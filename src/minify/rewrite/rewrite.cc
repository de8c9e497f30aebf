// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/rewrite.h"

#include <ATen/core/grad_mode.h>

#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"
#include "minify/rewrite/trusting_operators.h"

namespace culprit::minify {

Program Rewritten(const Program& program, const Rewrite& rewrite) {
  const graph::Graph& graph = program.graph;
  Program changed{{}, program.inputs};
  graph::Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    const auto tensor = rewrite.tensors.find(graph.value(graph.placeholders()[i].value).name);
    if (tensor != rewrite.tensors.end()) changed.inputs[i] = tensor->second;
  }
  for (graph::TensorConstant constant : graph.constants()) {
    const auto tensor = rewrite.tensors.find(graph.value(constant.value).name);
    if (tensor != rewrite.tensors.end()) constant.tensor = tensor->second;
    rebuild.CopyConstant(constant);
  }
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    graph::Node node = graph.nodes()[i];
    rewrite.change_node(graph::NodeId(i), node);
    rebuild.CopyNode(node);
  }
  rebuild.CopyOutputs();
  changed.graph = std::move(rebuild).Take();
  return changed;
}

base::Result<Program> IfItRuns(Program program) {
  if (HasTrustingOperator(program.graph)) return base::Diagnostic{{}, "an operator would not notice"};
  return IfItStillRuns(std::move(program));
}

base::Result<Program> IfItStillRuns(Program program) {
  CULPRIT_TRY(graph::Verify(program.graph));
  try {
    const at::NoGradGuard no_grad;
    graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs));
  } catch (const std::exception& error) {
    return base::Diagnostic{{}, "the graph does not run in eager: " + graph::TorchMessage(error)};
  }
  return program;
}

}  // namespace culprit::minify
