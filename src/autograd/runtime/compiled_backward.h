// SPDX-License-Identifier: Apache-2.0
//
// The function of libtorch's autograd that stands for a compiled graph: it has what the forward graph saved,
// and runs the backward graph. It takes one gradient per differentiable output of the forward graph, and
// gives one per input of the graph.
#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <memory>
#include <string>
#include <vector>

#include "autograd/runtime/backwards.h"

namespace culprit::autograd {

class CompiledBackward : public torch::autograd::Node {
 public:
  /// `symbols` are what the graph's symbols were in the forward call.
  explicit CompiledBackward(std::shared_ptr<Backwards> backwards, graph::sizes::Hints symbols = {})
      : backwards_(std::move(backwards)), symbols_(std::move(symbols)) {}

  /// In the order of Backwards::saved. An output of this function is told apart, since it holds the function.
  void Save(const c10::IValue& value, bool is_output);

  torch::autograd::variable_list apply(torch::autograd::variable_list&& tangents) override;
  void release_variables() override;
  std::string name() const override { return backwards_->name(); }

 private:
  struct Saved {
    /// Whatever is no tensor.
    c10::IValue other;
    std::optional<torch::autograd::SavedVariable> tensor;
  };

  const std::shared_ptr<Backwards> backwards_;
  const graph::sizes::Hints symbols_;
  std::vector<Saved> saved_;
};

}  // namespace culprit::autograd
