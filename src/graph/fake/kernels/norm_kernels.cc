// SPDX-License-Identifier: Apache-2.0
#include <ATen/native/cpu/mixed_data_type.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using FourTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
using ThreeTensors = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

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

ThreeTensors BatchNormWithStatistics(const at::Tensor& input, const OptionalTensor& weight,
                                     const OptionalTensor& bias, at::Tensor& running_mean,
                                     at::Tensor& running_var, bool training, double momentum, double eps) {
  return NativeBatchNorm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

ThreeTensors BatchNormWithoutStatistics(const at::Tensor& input, const OptionalTensor& weight,
                                        const OptionalTensor& bias, bool training, double momentum,
                                        double eps) {
  return NativeBatchNorm(input, weight, bias, {}, {}, training, momentum, eps);
}

/// The last result is what cuDNN keeps for its backward.
FourTensors WithReserve(const ThreeTensors& results) {
  const auto& [output, mean, rstd] = results;
  return {output, mean, rstd, at::empty({0}, output.options().dtype(at::kByte))};
}

FourTensors BatchNormWithUpdate(const at::Tensor& input, const OptionalTensor& weight,
                                const OptionalTensor& bias, at::Tensor& running_mean, at::Tensor& running_var,
                                double momentum, double eps) {
  return WithReserve(NativeBatchNorm(input, weight, bias, running_mean, running_var, true, momentum, eps));
}

FourTensors BatchNormNoUpdate(const at::Tensor& input, const OptionalTensor& weight,
                              const OptionalTensor& bias, const OptionalTensor& running_mean,
                              const OptionalTensor& running_var, double momentum, double eps) {
  return WithReserve(NativeBatchNorm(input, weight, bias, running_mean, running_var, false, momentum, eps));
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

ThreeTensors BatchNormBackward(const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight,
                               const OptionalTensor& running_mean, const OptionalTensor& running_var,
                               const OptionalTensor& mean, const OptionalTensor& rstd, bool update,
                               double eps, std::array<bool, 3> mask, const at::Tensor&) {
  return NativeBatchNormBackward(grad, input, weight, running_mean, running_var, mean, rstd, update, eps,
                                 mask);
}

ThreeTensors NativeLayerNorm(const at::Tensor& input, at::IntArrayRef normalized_shape,
                             const OptionalTensor& weight, const OptionalTensor& bias, double) {
  const at::Tensor scale = weight.value_or(at::Tensor()), shift = bias.value_or(at::Tensor());
  const bool mixed = at::native::is_mixed_type(input, scale, shift);
  if (mixed) at::native::check_mixed_data_type(input, scale, shift);
  const auto kept = static_cast<size_t>(input.dim()) - normalized_shape.size();
  std::vector<int64_t> sizes = input.sizes().slice(0, kept).vec();
  sizes.resize(input.dim(), 1);
  const at::TensorOptions options = input.options().dtype(at::native::param_scalar_type(input, mixed));
  return {at::empty(input.sizes(), input.options()), at::empty(sizes, options), at::empty(sizes, options)};
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
  if (mask[0]) grad_input = at::empty(input.sizes(), input.options(), input.suggest_memory_format());
  if (mask[1]) grad_weight = at::empty({channels}, options);
  if (mask[2]) grad_bias = at::empty({channels}, options);
  return {grad_input, grad_weight, grad_bias};
}

}  // namespace

void AddNorms(torch::Library& library) {
  library.impl("native_batch_norm", NativeBatchNorm);
  library.impl("batch_norm_update_stats", BatchNormUpdateStats);
  library.impl("_native_batch_norm_legit", BatchNormWithStatistics);
  library.impl("_native_batch_norm_legit.no_stats", BatchNormWithoutStatistics);
  library.impl("_batch_norm_with_update", BatchNormWithUpdate);
  library.impl("_batch_norm_no_update", BatchNormNoUpdate);
  library.impl("native_batch_norm_backward", NativeBatchNormBackward);
  library.impl("batch_norm_backward", BatchNormBackward);
  library.impl("native_layer_norm", NativeLayerNorm);
  library.impl("native_layer_norm_backward", NativeLayerNormBackward);
  library.impl("native_group_norm", NativeGroupNorm);
  library.impl("native_group_norm_backward", NativeGroupNormBackward);
}

}  // namespace culprit::graph::fake
