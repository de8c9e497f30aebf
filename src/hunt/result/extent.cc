// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/extent.h"

namespace culprit::hunt {
namespace {

void Add(const at::Tensor& tensor, Extent& extent) {
  if (!tensor.defined()) return;
  extent.elements += tensor.numel();
  extent.bytes += tensor.numel() * static_cast<int64_t>(tensor.element_size());
}

}  // namespace

Extent ExtentOf(const minify::Program& program) {
  Extent extent{.operators = program.graph.nodes().size(),
                .inputs = program.inputs.size() + program.graph.constants().size(),
                .outputs = program.graph.outputs().size()};
  for (const c10::IValue& input : program.inputs) {
    if (input.isTensor()) Add(input.toTensor(), extent);
  }
  for (const graph::TensorConstant& constant : program.graph.constants()) Add(constant.tensor, extent);
  return extent;
}

}  // namespace culprit::hunt
