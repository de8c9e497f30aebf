// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/outside_backward.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/variable.h>

#include "autograd/runtime/once_differentiable.h"

namespace culprit::autograd {
namespace {

class OutsideFunction : public torch::autograd::Node {
 public:
  explicit OutsideFunction(std::shared_ptr<OutsideBackward> outside) : outside_(std::move(outside)) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& tangents) override {
    std::vector<bool> wanted(num_outputs());
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = next_edge(i).is_valid() && task_should_compute_output(i);
    const bool keeps = torch::autograd::get_current_graph_task_keep_graph();
    return OnceDifferentiable(outside_->Run(tangents, wanted, keeps), name());
  }

  std::string name() const override { return outside_->name(); }

 private:
  const std::shared_ptr<OutsideBackward> outside_;
};

}  // namespace

void SetOutsideHistory(std::span<const at::Tensor> inputs, std::span<const at::Tensor> outputs,
                       std::span<const WrittenInput> written, std::shared_ptr<OutsideBackward> outside) {
  const auto function = c10::make_intrusive<OutsideFunction>(std::move(outside));
  torch::autograd::edge_list edges;
  edges.reserve(inputs.size());
  for (const at::Tensor& input : inputs) edges.push_back(torch::autograd::impl::gradient_edge(input));
  function->set_next_edges(std::move(edges));
  for (at::Tensor output : outputs) torch::autograd::create_gradient_edge(output, function);
  for (const auto& [input, output] : written) at::Tensor(input).copy_(outputs[output]);
}

}  // namespace culprit::autograd
