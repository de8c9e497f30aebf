// SPDX-License-Identifier: Apache-2.0
#include "minify/program/leaves.h"

#include <unordered_map>

#include "graph/tensors/gradness.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::minify {

std::vector<Leaf> LeavesOf(const Program& program) {
  const graph::Graph& graph = program.graph;
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (!program.inputs[i].isTensor() || !program.inputs[i].toTensor().defined()) continue;
    const graph::Placeholder& placeholder = graph.placeholders()[i];
    leaves.push_back({placeholder.value, graph.value(placeholder.value).name, program.inputs[i].toTensor(),
                      placeholder.kind != graph::PlaceholderKind::kInput});
  }
  for (const graph::TensorConstant& constant : graph.constants())
    leaves.push_back({constant.value, graph.value(constant.value).name, constant.tensor, true});
  std::unordered_map<const void*, size_t> tensors_on;
  for (const Leaf& leaf : leaves) {
    if (graph::IsPlain(leaf.tensor)) ++tensors_on[leaf.tensor.storage().unsafeGetStorageImpl()];
  }
  for (Leaf& leaf : leaves) {
    leaf.is_replaceable = graph::IsPlain(leaf.tensor) && leaf.tensor.device().is_cpu() &&
                          tensors_on[leaf.tensor.storage().unsafeGetStorageImpl()] == 1;
  }
  return leaves;
}

at::Tensor DenseCopy(const at::Tensor& tensor, const at::Tensor& other) {
  // By name, not by strides: those of dimensions of size 1 say nothing.
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast, at::MemoryFormat::ChannelsLast3d}) {
    if (other.is_contiguous(format)) return tensor.clone(format);
  }
  return tensor.clone(at::MemoryFormat::Preserve);
}

at::Tensor WithGradnessOf(const at::Tensor& tensor, const at::Tensor& other) {
  return graph::WithGradness(tensor.detach(), other.requires_grad(), other.is_leaf());
}

}  // namespace culprit::minify
