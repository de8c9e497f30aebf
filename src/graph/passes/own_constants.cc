// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/own_constants.h"

#include "graph/ir/rebuild.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {

Graph WithOwnConstants(const Graph& graph) {
  Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  TensorCopies copies;
  for (const TensorConstant& constant : graph.constants())
    rebuild.CopyConstant({constant.value, copies.Copy(constant.tensor), constant.device});
  for (const Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  return std::move(rebuild).Take();
}

}  // namespace culprit::graph
