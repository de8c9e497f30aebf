// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/gradness.h"

#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/graph_task.h>

namespace culprit::graph {

at::Tensor WithGradness(at::Tensor tensor, bool requires_grad, bool is_leaf) {
  const bool differentiable = tensor.is_floating_point() || tensor.is_complex();
  if (!requires_grad || !differentiable) return tensor;
  if (is_leaf) return tensor.set_requires_grad(true);
  // at::alias() would be shorter, but autograd refuses to write into views of leaves.
  PassGradientTo(tensor.detach().set_requires_grad(true), tensor);
  return tensor;
}

// The engine casts what a function gives to what the next one expects.
void PassGradientTo(const at::Tensor& source, const at::Tensor& tensor) {
  const auto history = c10::make_intrusive<torch::autograd::Identity>();
  history->set_next_edges({torch::autograd::impl::gradient_edge(source)});
  at::Tensor variable = tensor;
  torch::autograd::create_gradient_edge(variable, history);
}

at::Tensor HolderOfGradient(const at::Tensor& tensor) {
  using torch::autograd::AccumulateGrad;
  using torch::autograd::Identity;
  if (!tensor.defined() || tensor.is_leaf()) return tensor;
  const auto* history = dynamic_cast<const Identity*>(tensor.grad_fn().get());
  if (history == nullptr) return tensor;
  const auto* end = dynamic_cast<const AccumulateGrad*>(history->next_edge(0).function.get());
  return end == nullptr ? tensor : end->variable;
}

void MakeAsWritable(const at::Tensor& view, const at::Tensor& other) {
  using torch::autograd::impl::get_view_autograd_meta;
  get_view_autograd_meta(view)->set_creation_meta(get_view_autograd_meta(other)->get_creation_meta());
}

bool IsInBackward() {
  return torch::autograd::get_current_graph_task_exec_info() != nullptr;
}

}  // namespace culprit::graph
