// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/view_history.h"

#include <torch/csrc/autograd/variable.h>

namespace culprit::autograd {

void ViewHistory::Set(at::Tensor view, const c10::intrusive_ptr<torch::autograd::Node>& function) {
  const torch::autograd::Edge next(function, function->add_input_metadata(view));
  const auto output = static_cast<size_t>(view.output_nr());
  const auto history = c10::make_intrusive<ViewHistory>(view.grad_fn()->name(), output, next);
  for (size_t i = 0; i < output; ++i) history->add_input_metadata(Node::undefined_input());
  torch::autograd::create_gradient_edge(view, history);
}

}  // namespace culprit::autograd
