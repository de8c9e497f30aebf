// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using FourTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

/// With gradients there is a workspace, as large as oneDNN says: the real kernel has to be asked.
FourTensors MkldnnRnnLayer(const at::Tensor& input, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                           const at::Tensor&, const at::Tensor& hx, const at::Tensor& cx, bool,
                           at::IntArrayRef, int64_t, int64_t hidden_size, int64_t, bool, bool, bool, bool) {
  TORCH_CHECK_NOT_IMPLEMENTED(!at::GradMode::is_enabled(), "the workspace is as large as oneDNN says");
  const at::TensorOptions options = input.options();
  return {at::empty({input.size(0), input.size(1), hidden_size}, options), at::empty(hx.sizes(), options),
          at::empty(cx.sizes(), options), at::Tensor()};
}

}  // namespace

void AddRecurrents(torch::Library& library) {
  library.impl("mkldnn_rnn_layer", MkldnnRnnLayer);
}

}  // namespace culprit::graph::fake
