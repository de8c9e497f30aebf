// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using ThreeTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

void CheckSameDtype(const at::Tensor& input, const OptionalTensor& parameter) {
  TORCH_CHECK(!parameter || !parameter->defined() || parameter->scalar_type() == input.scalar_type(),
              "expected scalar type ", input.scalar_type(), " but found ", parameter->scalar_type());
}

/// Statistics are kept in the precision of the parameters where these are wider than the input.
at::TensorOptions StatisticsOptions(const at::Tensor& input, const OptionalTensor& parameter) {
  return parameter && parameter->defined() ? parameter->options() : input.options();
}

ThreeTensors NativeBatchNorm(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
                             const OptionalTensor& running_mean, const OptionalTensor&, bool training, double,
                             double) {
  const at::Tensor output = at::empty(input.sizes(), input.options(), input.suggest_memory_format());
  const at::TensorOptions options =
      StatisticsOptions(input, weight && weight->defined() ? weight : running_mean);
  const int64_t kept = training ? input.size(1) : 0;
  return {output, at::empty({kept}, options), at::empty({kept}, options)};
}

std::tuple<at::Tensor, at::Tensor> BatchNormUpdateStats(const at::Tensor& input,
                                                        const OptionalTensor& running_mean,
                                                        const OptionalTensor&, double) {
  const at::TensorOptions options = StatisticsOptions(input, running_mean);
  return {at::empty({input.size(1)}, options), at::empty({input.size(1)}, options)};
}

ThreeTensors NativeBatchNormBackward(const at::Tensor& grad, const at::Tensor& input,
                                     const OptionalTensor& weight, const OptionalTensor&,
                                     const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                     bool, double, std::array<bool, 3> mask) {
  const at::TensorOptions options = StatisticsOptions(input, weight);
  at::Tensor grad_input, grad_weight, grad_bias;
  if (mask[0]) grad_input = at::empty(input.sizes(), input.options(), input.suggest_memory_format());
  if (mask[1]) grad_weight = at::empty({grad.size(1)}, options);
  if (mask[2]) grad_bias = at::empty({grad.size(1)}, options);
  return {grad_input, grad_weight, grad_bias};
}

ThreeTensors NativeLayerNorm(const at::Tensor& input, at::IntArrayRef normalized_shape,
                             const OptionalTensor& weight, const OptionalTensor& bias, double) {
  CheckSameDtype(input, weight);
  CheckSameDtype(input, bias);
  const auto kept = static_cast<size_t>(input.dim()) - normalized_shape.size();
  std::vector<int64_t> sizes = input.sizes().slice(0, kept).vec();
  sizes.resize(input.dim(), 1);
  const at::TensorOptions options = input.options();
  return {at::empty(input.sizes(), options), at::empty(sizes, options), at::empty(sizes, options)};
}

ThreeTensors NativeLayerNormBackward(const at::Tensor&, const at::Tensor& input, at::IntArrayRef,
                                     const at::Tensor&, const at::Tensor&, const OptionalTensor& weight,
                                     const OptionalTensor& bias, std::array<bool, 3> mask) {
  at::Tensor grad_input, grad_weight, grad_bias;
  if (mask[0]) grad_input = at::empty(input.sizes(), input.options());
  if (mask[1] && weight && weight->defined()) grad_weight = at::empty(weight->sizes(), weight->options());
  if (mask[2] && bias && bias->defined()) grad_bias = at::empty(bias->sizes(), bias->options());
  return {grad_input, grad_weight, grad_bias};
}

ThreeTensors NativeGroupNorm(const at::Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
                             int64_t batch, int64_t, int64_t, int64_t groups, double) {
  const at::TensorOptions options = StatisticsOptions(input, weight);
  return {at::empty(input.sizes(), input.options(), input.suggest_memory_format()),
          at::empty({batch, groups}, options), at::empty({batch, groups}, options)};
}

ThreeTensors NativeGroupNormBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor&,
                                     const at::Tensor&, const OptionalTensor& weight, int64_t,
                                     int64_t channels, int64_t, int64_t, std::array<bool, 3> mask) {
  const at::TensorOptions options = StatisticsOptions(input, weight);
  at::Tensor grad_input, grad_weight, grad_bias;
  if (mask[0]) grad_input = at::empty(input.sizes(), input.options());
  if (mask[1]) grad_weight = at::empty({channels}, options);
  if (mask[2]) grad_bias = at::empty({channels}, options);
  return {grad_input, grad_weight, grad_bias};
}

}  // namespace

void AddNorms(torch::Library& library) {
  library.impl("native_batch_norm", NativeBatchNorm);
  library.impl("batch_norm_update_stats", BatchNormUpdateStats);
  library.impl("native_batch_norm_backward", NativeBatchNormBackward);
  library.impl("native_layer_norm", NativeLayerNorm);
  library.impl("native_layer_norm_backward", NativeLayerNormBackward);
  library.impl("native_group_norm", NativeGroupNorm);
  library.impl("native_group_norm_backward", NativeGroupNormBackward);
}

}  // namespace culprit::graph::fake
