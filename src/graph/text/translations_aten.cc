// SPDX-License-Identifier: Apache-2.0
//
// ATen operators that came after 1.13, and overloads that did: indexing, reductions, products, assertions.
#include "graph/text/translation_lists.h"

namespace culprit::graph::text {
namespace {

constexpr std::string_view kDims = "self, dim=None, keepdim=False";
constexpr std::string_view kMetadata = "a, size=None, stride=None, dtype=None, *, device=None, layout=None";

constexpr Translation kRows[] = {
    {"aten::_unsafe_index.Tensor", "self, indices", "", "return aten.index.Tensor(self, indices)"},
    {"aten::_unsafe_index_put", "self, indices, values, accumulate=False", "",
     "return aten.index_put.default(self, indices, values, accumulate)"},
    {"aten::nonzero_static", "self, *, size, fill_value=-1", "", R"(
       found = aten.nonzero.default(self)
       rank = aten.sym_size.int(found, 1)
       filler = aten.new_full.default(found, [size, rank], fill_value)
       joined = aten.cat.default([found, filler], 0)
       return aten.slice.Tensor(joined, 0, 0, size))"},
    {"aten::masked_scatter_backward", "grad_output, mask, sizes", "", R"(
       picked = aten.masked_select.default(grad_output, mask)
       zeros = aten.new_zeros.default(grad_output, sizes)
       count = aten.sym_numel.default(zeros)
       flat_zeros = aten.view.default(zeros, [-1])
       joined = aten.cat.default([picked, flat_zeros], 0)
       kept = aten.slice.Tensor(joined, 0, 0, count)
       return aten.view.default(kept, sizes))"},

    {"aten::any.dims", kDims, "dim is None and keepdim == False", "return aten.any.default(self)"},
    {"aten::any.dims", kDims, "dim is not None", R"(
       truth = aten.ne.Scalar(self, 0)
       return aten.amax.default(truth, dim, keepdim))"},
    {"aten::all.dims", kDims, "dim is None and keepdim == False", "return aten.all.default(self)"},
    {"aten::all.dims", kDims, "dim is not None", R"(
       truth = aten.ne.Scalar(self, 0)
       return aten.amin.default(truth, dim, keepdim))"},
    {"aten::_is_all_true", "self", "", "return aten.all.default(self)"},
    {"aten::_is_any_true", "self", "", "return aten.any.default(self)"},

    {"aten::_prelu_kernel", "self, weight", "", R"(
       positive = aten.gt.Scalar(self, 0)
       scaled = aten.mul.Tensor(self, weight)
       return aten.where.self(positive, self, scaled))"},
    {"aten::_prelu_kernel_backward", "grad_output, self, weight", "", R"(
       positive = aten.gt.Scalar(self, 0)
       scaled_grad = aten.mul.Tensor(grad_output, weight)
       grad_self = aten.where.self(positive, grad_output, scaled_grad)
       product = aten.mul.Tensor(grad_output, self)
       grad_weight = aten.masked_fill.Scalar(product, positive, 0)
       return (grad_self, grad_weight))"},
    {"aten::rrelu_with_noise_functional",
     "self, noise, lower=0.125, upper=0.3333333333333333, training=False, generator=None", "", R"(
       new_noise = aten.clone.default(noise)
       out = aten.rrelu_with_noise.default(self, new_noise, lower, upper, training, generator)
       return (out, new_noise))"},

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
    {"aten::_int_mm", "self, mat2", "", R"(
       left = aten._to_copy.default(self, dtype=torch.int32)
       right = aten._to_copy.default(mat2, dtype=torch.int32)
       return aten.mm.default(left, right))"},

    {"aten::_reshape_copy", "self, size", "", R"(
       reshaped = aten.reshape.default(self, size)
       return aten.clone.default(reshaped, memory_format=torch.contiguous_format))"},
    {"aten::_lazy_clone", "self", "", "return aten.clone.default(self)"},

    // Assertions, and what orders them. Recorded inputs have passed them already.
    {"aten::_assert_async.msg", "self, assert_msg", "", ""},
    {"aten::_assert_scalar", "self, assert_msg", "", ""},
    {"aten::_assert_tensor_metadata", kMetadata, "device is not None", ""},
    {"aten::_assert_tensor_metadata", kMetadata, "layout is not None", ""},
    {"aten::sym_constrain_range", "size, *, min=None, max=None", "", ""},
    {"aten::sym_constrain_range_for_size", "size, *, min=None, max=None", "", ""},
    {"aten::_print", "s", "", ""},
    {"aten::_make_dep_token", "*, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None",
     "", "return aten.zeros.default([])"},
    {"aten::_functional_assert_async.msg", "self, assert_msg, dep_token", "", "return dep_token"},
    {"aten::_functional_assert_scalar", "self, assert_msg, dep_token", "", "return dep_token"},
    {"aten::_functional_sym_constrain_range", "size, min, max, dep_token", "", "return dep_token"},
    {"aten::_functional_sym_constrain_range_for_size", "size, min, max, dep_token", "", "return dep_token"},
};

}  // namespace

std::span<const Translation> AtenTranslations() {
  return kRows;
}

}  // namespace culprit::graph::text
