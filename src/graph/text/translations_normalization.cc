// SPDX-License-Identifier: Apache-2.0
//
// Batch normalization under its names of PyTorch 2.x, softmax, variance.
//
// libtorch's native_batch_norm updates the running statistics in place; the functional forms give it copies.
#include "graph/text/translation_lists.h"

namespace culprit::graph::text {
namespace {

constexpr std::string_view kBatchNorm =
    "input, weight, bias, running_mean, running_var, training, momentum, eps";
constexpr std::string_view kBatchNormWithoutMode =
    "input, weight, bias, running_mean, running_var, momentum, eps";

// 1.13 has no defaults for dim and correction, and takes no float for the latter.
constexpr std::string_view kCorrection = "self, dim=None, *, correction=None, keepdim=False";

constexpr Translation kRows[] = {
    {"aten::_native_batch_norm_legit", kBatchNorm, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, training, momentum, eps)
       return (out, mean, rstd))"},
    {"aten::_native_batch_norm_legit.no_stats", "input, weight, bias, training, momentum, eps", "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, None, None, training, momentum, eps)
       return (out, mean, rstd))"},
    {"aten::_native_batch_norm_legit_functional", kBatchNorm, "", R"(
       new_mean = aten.clone.default(running_mean)
       new_var = aten.clone.default(running_var)
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, new_mean, new_var, training, momentum, eps)
       return (out, mean, rstd, new_mean, new_var))"},
    {"aten::_native_batch_norm_legit_no_training", kBatchNormWithoutMode, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, False, momentum, eps)
       return (out, mean, rstd))"},
    {"aten::_batch_norm_with_update", kBatchNormWithoutMode, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, True, momentum, eps)
       reserve = aten.new_empty.default(input, [0], dtype=torch.uint8)
       return (out, mean, rstd, reserve))"},
    {"aten::_batch_norm_with_update_functional", kBatchNormWithoutMode, "", R"(
       new_mean = aten.clone.default(running_mean)
       new_var = aten.clone.default(running_var)
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, new_mean, new_var, True, momentum, eps)
       reserve = aten.new_empty.default(input, [0], dtype=torch.uint8)
       return (out, mean, rstd, reserve, new_mean, new_var))"},
    {"aten::_batch_norm_no_update", kBatchNormWithoutMode, "", R"(
       out, mean, rstd = aten.native_batch_norm.default(input, weight, bias, running_mean, running_var, False, momentum, eps)
       reserve = aten.new_empty.default(input, [0], dtype=torch.uint8)
       return (out, mean, rstd, reserve))"},
    {"aten::batch_norm_backward",
     "grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask, "
     "reserve",
     "", R"(
       grad_input, grad_weight, grad_bias = aten.native_batch_norm_backward.default(grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask)
       return (grad_input, grad_weight, grad_bias))"},

    // A row without any number but -inf gives zeros, where softmax gives NaN.
    {"aten::_safe_softmax", "self, dim, dtype=None", "", R"(
       weights = aten.softmax.int(self, dim, dtype)
       masked = aten.eq.Scalar(self, float('-inf'))
       empty = aten.all.dim(masked, dim, True)
       return aten.masked_fill.Scalar(weights, empty, 0.0))"},

    {"aten::var.correction", kCorrection, "correction == 0",
     "return aten.var.correction(self, dim, correction=0, keepdim=keepdim)"},
    {"aten::var.correction", kCorrection, "correction == 1",
     "return aten.var.correction(self, dim, correction=1, keepdim=keepdim)"},
    {"aten::var.correction", kCorrection, "correction is None",
     "return aten.var.correction(self, dim, correction=None, keepdim=keepdim)"},
    {"aten::std.correction", kCorrection, "correction == 0",
     "return aten.std.correction(self, dim, correction=0, keepdim=keepdim)"},
    {"aten::std.correction", kCorrection, "correction == 1",
     "return aten.std.correction(self, dim, correction=1, keepdim=keepdim)"},
    {"aten::std.correction", kCorrection, "correction is None",
     "return aten.std.correction(self, dim, correction=None, keepdim=keepdim)"},
    {"aten::var_mean.correction", kCorrection, "correction == 0", R"(
       var, mean = aten.var_mean.correction(self, dim, correction=0, keepdim=keepdim)
       return (var, mean))"},
    {"aten::var_mean.correction", kCorrection, "correction == 1", R"(
       var, mean = aten.var_mean.correction(self, dim, correction=1, keepdim=keepdim)
       return (var, mean))"},
    {"aten::var_mean.correction", kCorrection, "correction is None", R"(
       var, mean = aten.var_mean.correction(self, dim, correction=None, keepdim=keepdim)
       return (var, mean))"},
    {"aten::std_mean.correction", kCorrection, "correction == 0", R"(
       std, mean = aten.std_mean.correction(self, dim, correction=0, keepdim=keepdim)
       return (std, mean))"},
    {"aten::std_mean.correction", kCorrection, "correction == 1", R"(
       std, mean = aten.std_mean.correction(self, dim, correction=1, keepdim=keepdim)
       return (std, mean))"},
    {"aten::std_mean.correction", kCorrection, "correction is None", R"(
       std, mean = aten.std_mean.correction(self, dim, correction=None, keepdim=keepdim)
       return (std, mean))"},
};

}  // namespace

std::span<const Translation> NormalizationTranslations() {
  return kRows;
}

}  // namespace culprit::graph::text
