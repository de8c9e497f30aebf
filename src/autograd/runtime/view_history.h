// SPDX-License-Identifier: Apache-2.0
//
// The function of libtorch's autograd that takes the place of the one that made a view:
//
//   relu <- TBackward <- relu.t()      =>      compiled backward <- TBackward (this one) <- relu.t()
//
// It hands the gradient of the view on to a compiled backward as it is. Name and number are those of the
// function in whose place it is, since libtorch's errors name them.
#pragma once

#include <torch/csrc/autograd/function.h>

#include <memory>
#include <string>

namespace culprit::autograd {

class ViewHistory : public torch::autograd::Node {
 public:
  /// Of a view that has a history. The function gets one more gradient.
  static void Set(at::Tensor view, const c10::intrusive_ptr<torch::autograd::Node>& function);

  ViewHistory(std::string name, size_t output, torch::autograd::Edge next)
      : Node({std::move(next)}), name_(std::move(name)), output_(output) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    return {gradients[output_]};
  }
  std::string name() const override { return name_; }

 private:
  const std::string name_;
  const size_t output_;
};

}  // namespace culprit::autograd
