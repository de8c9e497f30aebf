// SPDX-License-Identifier: Apache-2.0
//
// Operators for which libtorch has no CPU kernel: cuDNN's and MIOpen's batch normalization, fused dropout,
// softmax that widens half precision, products with a wider result. They stand in graphs of programs that ran
// on CUDA.
#include "graph/translate/table.h"

namespace culprit::graph::translate {
namespace {

constexpr std::string_view kBatchNorm =
    "input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon";
constexpr std::string_view kSoftmax = "self, dim, half_to_float";
constexpr std::string_view kSoftmaxBackward = "grad_output, output, dim, input_dtype";

constexpr Translation kRows[] = {
    {"aten::cudnn_batch_norm", kBatchNorm, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon)
       reserve = aten.new_empty.default(input, [0], dtype=torch.uint8)
       return (out, mean, rstd, reserve))"},
    {"aten::cudnn_batch_norm_backward",
     "input, grad_output, weight, running_mean, running_var, save_mean, save_var, epsilon, reserveSpace", "",
     R"(
       grad_input, grad_weight, grad_bias = aten.native_batch_norm_backward.default(grad_output, input, weight, running_mean, running_var, save_mean, save_var, True, epsilon, [True, True, True])
       return (grad_input, grad_weight, grad_bias))"},
    {"aten::miopen_batch_norm", kBatchNorm, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon)
       return (out, mean, rstd))"},
    {"aten::miopen_batch_norm_backward",
     "input, grad_output, weight, running_mean, running_var, save_mean, save_var, epsilon", "", R"(
       grad_input, grad_weight, grad_bias = aten.native_batch_norm_backward.default(grad_output, input, weight, running_mean, running_var, save_mean, save_var, True, epsilon, [True, True, True])
       return (grad_input, grad_weight, grad_bias))"},

    // p is the probability to keep an element here.
    {"aten::_fused_dropout", "self, p, generator=None", "generator is None", R"(
       kept = aten.bernoulli.p(self, p)
       masked = aten.mul.Tensor(self, kept)
       out = aten.div.Scalar(masked, p)
       mask = aten._to_copy.default(kept, dtype=torch.uint8)
       return (out, mask))"},
    {"aten::_masked_scale", "self, mask, scale", "", R"(
       masked = aten.mul.Tensor(self, mask)
       return aten.mul.Scalar(masked, scale))"},

    {"aten::_softmax", kSoftmax, "half_to_float == True", R"(
       wide = aten._to_copy.default(self, dtype=torch.float32)
       return aten._softmax.default(wide, dim, False))"},
    {"aten::_log_softmax", kSoftmax, "half_to_float == True", R"(
       wide = aten._to_copy.default(self, dtype=torch.float32)
       return aten._log_softmax.default(wide, dim, False))"},
    {"aten::_softmax_backward_data", kSoftmaxBackward, "input_dtype == torch.float16", R"(
       weighted = aten.mul.Tensor(grad_output, output)
       total = aten.sum.dim_IntList(weighted, [dim], True)
       correction = aten.mul.Tensor(output, total)
       grad = aten.sub.Tensor(weighted, correction)
       return aten._to_copy.default(grad, dtype=torch.float16))"},
    {"aten::_log_softmax_backward_data", kSoftmaxBackward, "input_dtype == torch.float16", R"(
       weights = aten.exp.default(output)
       total = aten.sum.dim_IntList(grad_output, [dim], True)
       correction = aten.mul.Tensor(weights, total)
       grad = aten.sub.Tensor(grad_output, correction)
       return aten._to_copy.default(grad, dtype=torch.float16))"},

    // Products with a wider result: the factors are widened first.
    {"aten::mm.dtype", "self, mat2, out_dtype", "", R"(
       left = aten._to_copy.default(self, dtype=out_dtype)
       right = aten._to_copy.default(mat2, dtype=out_dtype)
       return aten.mm.default(left, right))"},
    {"aten::bmm.dtype", "self, mat2, out_dtype", "", R"(
       left = aten._to_copy.default(self, dtype=out_dtype)
       right = aten._to_copy.default(mat2, dtype=out_dtype)
       return aten.bmm.default(left, right))"},
    {"aten::addmm.dtype", "self, mat1, mat2, out_dtype, *, beta=1, alpha=1", "", R"(
       term = aten._to_copy.default(self, dtype=out_dtype)
       left = aten._to_copy.default(mat1, dtype=out_dtype)
       right = aten._to_copy.default(mat2, dtype=out_dtype)
       return aten.addmm.default(term, left, right, beta=beta, alpha=alpha))"},
    {"aten::baddbmm.dtype", "self, batch1, batch2, out_dtype, *, beta=1, alpha=1", "", R"(
       term = aten._to_copy.default(self, dtype=out_dtype)
       left = aten._to_copy.default(batch1, dtype=out_dtype)
       right = aten._to_copy.default(batch2, dtype=out_dtype)
       return aten.baddbmm.default(term, left, right, beta=beta, alpha=alpha))"},
};

}  // namespace

std::span<const Translation> CudaOnlyTranslations() {
  return kRows;
}

}  // namespace culprit::graph::translate
