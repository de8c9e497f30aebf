// SPDX-License-Identifier: Apache-2.0
#include <ATen/Context.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "graph/fake/kernels/kernels.h"
#include "graph/fake/tensors/tensor.h"

namespace culprit::graph::fake {
namespace {

using at::native::ConvBackend;
using OptionalTensor = std::optional<at::Tensor>;

/// libtorch chooses by device, so it is asked about CPU tensors: fakes of the meta ones.
at::Tensor OnCpu(const at::Tensor& meta) {
  return TensorLike(meta, FakeStorage(0, /*resizable=*/false));
}

std::vector<int64_t> Expanded(at::IntArrayRef values, int64_t dimensions) {
  return values.size() == 1 ? std::vector<int64_t>(dimensions, values[0]) : values.vec();
}

struct ConvParams {
  std::vector<int64_t> stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

ConvParams Parameters(int64_t dimensions, at::IntArrayRef stride, at::IntArrayRef padding,
                      at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding,
                      int64_t groups) {
  ConvParams parameters;
  parameters.stride = Expanded(stride, dimensions);
  parameters.padding = Expanded(padding, dimensions);
  parameters.dilation = Expanded(dilation, dimensions);
  parameters.transposed = transposed;
  parameters.output_padding = Expanded(output_padding, dimensions);
  parameters.groups = groups;
  return parameters;
}

/// As libtorch does: a row is an image of height 1, and always contiguous.
at::Tensor AsImage(const at::Tensor& row) {
  return row.contiguous().unsqueeze(2);
}

struct Choice {
  ConvBackend backend;
  /// What the backend computes in, and what its results lie in.
  at::MemoryFormat format;
};

Choice Choose(at::Tensor input, at::Tensor weight, at::OptionalIntArrayRef bias_sizes, bool needs_backward,
              ConvParams parameters) {
  if (input.dim() == 3) {
    input = AsImage(input);
    weight = weight.unsqueeze(2);
    parameters.stride.insert(parameters.stride.begin(), 1);
    parameters.padding.insert(parameters.padding.begin(), 0);
    parameters.dilation.insert(parameters.dilation.begin(), 1);
    parameters.output_padding.insert(parameters.output_padding.begin(), 0);
  }
  input = OnCpu(input);
  weight = OnCpu(weight);
  // Whether there is a backward is asked of the tensors and of the mode.
  const at::AutoGradMode mode(needs_backward);
  if (needs_backward) input.set_requires_grad(true);
  std::vector<c10::SymInt> sizes;
  at::OptionalSymIntArrayRef symbolic;
  if (bias_sizes) {
    sizes.assign(bias_sizes->begin(), bias_sizes->end());
    symbolic = c10::SymIntArrayRef(sizes);
  }
  const ConvBackend backend = at::native::select_conv_backend(
      input, weight, std::nullopt, c10::fromIntArrayRefSlow(parameters.stride),
      c10::fromIntArrayRefSlow(parameters.padding), c10::fromIntArrayRefSlow(parameters.dilation),
      parameters.transposed, c10::fromIntArrayRefSlow(parameters.output_padding), parameters.groups,
      symbolic);
  return {backend, at::native::_determine_backend_memory_format(input, weight, backend)};
}

/// A row's result is the image's without its height.
at::Tensor Empty(at::IntArrayRef sizes, const at::TensorOptions& options, at::MemoryFormat format) {
  if (sizes.size() != 3) return at::empty(sizes, options, format);
  return at::empty({sizes[0], sizes[1], 1, sizes[2]}, options, format).squeeze(2);
}

bool AllAtLeast(int64_t least, at::IntArrayRef values) {
  return std::all_of(values.begin(), values.end(), [&](int64_t value) { return value >= least; });
}

void CheckConvolution(const at::Tensor& input, const at::Tensor& weight, const ConvParams& parameters) {
  TORCH_CHECK(AllAtLeast(0, parameters.padding), "negative padding is not supported");
  TORCH_CHECK(AllAtLeast(1, parameters.stride), "non-positive stride is not supported");
  TORCH_CHECK(AllAtLeast(0, parameters.output_padding), "negative output_padding is not supported");
  TORCH_CHECK(weight.dim() == input.dim(), "Expected ", weight.dim(), "-dimensional input for ", weight.dim(),
              "-dimensional weight ", weight.sizes(), ", but got input of size ", input.sizes());
  const int64_t wanted = parameters.transposed ? weight.size(0) : weight.size(1) * parameters.groups;
  TORCH_CHECK(input.size(1) == wanted, "Given groups=", parameters.groups, ", weight of size ",
              weight.sizes(), ", expected input", input.sizes(), " to have ", wanted, " channels, but got ",
              input.size(1), " channels instead");
}

std::vector<int64_t> OutputSizes(const at::Tensor& input, const at::Tensor& weight,
                                 const ConvParams& parameters) {
  std::vector<int64_t> sizes =
      parameters.transposed ? at::native::conv_input_size(input.sizes(), weight.sizes(), parameters.padding,
                                                          parameters.output_padding, parameters.stride,
                                                          parameters.dilation, parameters.groups)
                            : at::native::conv_output_size(input.sizes(), weight.sizes(), parameters.padding,
                                                           parameters.stride, parameters.dilation);
  for (size_t i = 2; i < sizes.size(); ++i) {
    TORCH_CHECK(sizes[i] > 0 || input.numel() == 0, "the output of a convolution of ", input.sizes(),
                " with ", weight.sizes(), " would have the size ", at::IntArrayRef(sizes));
  }
  return sizes;
}

at::Tensor Convolution(const at::Tensor& input, const at::Tensor& weight, const OptionalTensor& bias,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                       bool transposed, at::IntArrayRef output_padding, int64_t groups) {
  const ConvParams parameters =
      Parameters(weight.dim() - 2, stride, padding, dilation, transposed, output_padding, groups);
  CheckConvolution(input, weight, parameters);
  at::OptionalIntArrayRef bias_sizes;
  if (bias && bias->defined()) bias_sizes = bias->sizes();
  const Choice choice = Choose(input, weight, bias_sizes, /*needs_backward=*/false, parameters);
  return Empty(OutputSizes(input, weight, parameters), input.options(), choice.format);
}

at::Tensor DeprecatedConvolution(const at::Tensor& input, const at::Tensor& weight,
                                 const OptionalTensor& bias, at::IntArrayRef stride, at::IntArrayRef padding,
                                 at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding,
                                 int64_t groups, bool, bool, bool, bool) {
  return Convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

/// Without oneDNN it is computed contiguous and then converted, which changes nothing about 1x1 kernels.
at::Tensor EmptyGradOfWeight(ConvBackend backend, const at::Tensor& weight, at::MemoryFormat format) {
  if (backend == ConvBackend::Mkldnn) return Empty(weight.sizes(), weight.options(), format);
  return at::empty(weight.sizes(), weight.options()).contiguous(format);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> ConvolutionBackward(
    const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight,
    at::OptionalIntArrayRef bias_sizes, at::IntArrayRef stride, at::IntArrayRef padding,
    at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding, int64_t groups,
    std::array<bool, 3> mask) {
  const ConvParams parameters =
      Parameters(weight.dim() - 2, stride, padding, dilation, transposed, output_padding, groups);
  const auto [backend, format] = Choose(input, weight, bias_sizes, /*needs_backward=*/true, parameters);
  at::Tensor grad_input, grad_weight, grad_bias;
  if (mask[0]) grad_input = Empty(input.sizes(), input.options(), format);
  if (mask[1]) grad_weight = EmptyGradOfWeight(backend, weight, format);
  if (mask[2]) grad_bias = at::empty({grad.size(1)}, grad.options());
  return {grad_input, grad_weight, grad_bias};
}

}  // namespace

void AddConvolutions(torch::Library& library) {
  library.impl("convolution", Convolution);
  library.impl("_convolution", DeprecatedConvolution);
  library.impl("convolution_backward", ConvolutionBackward);
}

}  // namespace culprit::graph::fake
