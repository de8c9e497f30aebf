// SPDX-License-Identifier: Apache-2.0
//
// Cases for translation_cases.h: newer ATen operators.
#pragma once

#include "graph/text/translation_cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kAtenCases[] = {
    {"UnsafeIndex", "x f32 4 5; i i64<4 3; v f32 3 5", R"(
       a = torch.ops.aten._unsafe_index.Tensor(x, [i])
       b = torch.ops.aten._unsafe_index_put.default(x, [i], v, True)
       return (a, b))",
     R"(
       a = torch.ops.aten.index_select.default(x, 0, i)
       b = torch.ops.aten.index_add.default(x, 0, i, v)
       return (a, b))",
     1e-6},
    {"UnsafeIndexWithNone", "x f32 4 5 6; i i64<5 3; j i64<6 3", R"(
       y = torch.ops.aten._unsafe_index.Tensor(x, [None, i, j])
       return (y,))",
     R"(
       f = torch.ops.aten.view.default(x, [4, 30])
       r = torch.ops.aten.mul.Tensor(i, 6)
       k = torch.ops.aten.add.Tensor(r, j)
       y = torch.ops.aten.index_select.default(f, 1, k)
       return (y,))"},
    {"UnsafeMaskedIndexClampsHiddenIndices", "x f32 4 5; i i64<4 6; m b8 6", R"(
       h = torch.ops.aten.logical_not.default(m)
       wild = torch.ops.aten.masked_fill.Scalar(i, h, 1000)
       y = torch.ops.aten._unsafe_masked_index.default(x, m, [None, wild], 7.0)
       return (y,))",
     R"(
       a = torch.ops.aten.index_select.default(x, 1, i)
       h = torch.ops.aten.logical_not.default(m)
       y = torch.ops.aten.masked_fill.Scalar(a, h, 7.0)
       return (y,))"},
    {"UnsafeMaskedIndexPutAccumulates", "x f32 4 5; i i64<5 6; m b8 6; v f32 4 6", R"(
       h = torch.ops.aten.logical_not.default(m)
       wild = torch.ops.aten.masked_fill.Scalar(i, h, -1000)
       y = torch.ops.aten._unsafe_masked_index_put_accumulate.default(x, m, [None, wild], v)
       return (y,))",
     R"(
       z = torch.ops.aten.mul.Tensor(v, m)
       y = torch.ops.aten.index_add.default(x, 1, i, z)
       return (y,))",
     1e-6},
    {"SqueezeDims", "x f32 1 3 1 1 2", R"(
       a = torch.ops.aten.squeeze.dims(x, [0, 2, 3])
       b = torch.ops.aten.squeeze.dims(x, [-3, -2])
       c = torch.ops.aten.squeeze.dims(x, [0, 1])
       return (a, b, c))",
     R"(
       a = torch.ops.aten.view.default(x, [3, 2])
       b = torch.ops.aten.view.default(x, [1, 3, 2])
       c = torch.ops.aten.view.default(x, [3, 1, 1, 2])
       return (a, b, c))"},
    {"AnyAndAllOfDims", "x i64<3 4 5 6", R"(
       a = torch.ops.aten.any.dims(x, [0, 2])
       b = torch.ops.aten.all.dims(x, [1], True)
       c = torch.ops.aten.any.dims(x)
       return (a, b, c))",
     R"(
       n = torch.ops.aten.ne.Scalar(x, 0)
       a1 = torch.ops.aten.any.dim(n, 2)
       a = torch.ops.aten.any.dim(a1, 0)
       b = torch.ops.aten.all.dim(n, 1, True)
       c = torch.ops.aten.any.default(n)
       return (a, b, c))"},
    {"EmptyPermutedHasThePhysicalLayout", "", R"(
       e = torch.ops.aten.empty_permuted.default([2, 3, 4], [0, 2, 1], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
       y = torch.ops.aten.zero_.default(e)
       s = torch.ops.aten.sym_stride.int(y, 1)
       t = torch.ops.aten.sym_stride.int(y, 2)
       z = torch.ops.aten.full.default([s, t], 0.0)
       return (y, z))",
     R"(
       y = torch.ops.aten.zeros.default([2, 3, 4])
       z = torch.ops.aten.zeros.default([1, 3])
       return (y, z))"},
    {"NonzeroStaticPads", "m b8 2 2", R"(
       y = torch.ops.aten.nonzero_static.default(m, size = 6, fill_value = -1)
       n = torch.ops.aten.sum.default(m)
       return (y, n))",
     R"(
       f = torch.ops.aten.nonzero.default(m)
       p = torch.ops.aten.full.default([6, 2], -1)
       c = torch.ops.aten.cat.default([f, p], 0)
       i = torch.ops.aten.arange.default(6)
       y = torch.ops.aten.index_select.default(c, 0, i)
       n = torch.ops.aten.sum.default(m)
       return (y, n))"},
    {"MaskedScatterBackward", "g f32 3 4; m b8 3 4", R"(
       y = torch.ops.aten.masked_scatter_backward.default(g, m, [2, 6])
       return (y,))",
     R"(
       s = torch.ops.aten.masked_select.default(g, m)
       z = torch.ops.aten.zeros.default([12])
       c = torch.ops.aten.cat.default([s, z], 0)
       i = torch.ops.aten.arange.default(12)
       f = torch.ops.aten.index_select.default(c, 0, i)
       y = torch.ops.aten.view.default(f, [2, 6])
       return (y,))"},
    {"PreluAndItsBackward", "x f32 2 3 4; w f32 1 3 1; g f32 2 3 4", R"(
       y = torch.ops.aten._prelu_kernel.default(x, w)
       d = torch.ops.aten._prelu_kernel_backward.default(g, x, w)
       gx = d[0]
       gw = d[1]
       return (y, gx, gw))",
     R"(
       p = torch.ops.aten.clamp_min.default(x, 0)
       n = torch.ops.aten.clamp_max.default(x, 0)
       s = torch.ops.aten.mul.Tensor(n, w)
       y = torch.ops.aten.add.Tensor(p, s)
       sign = torch.ops.aten.gt.Scalar(x, 0)
       one = torch.ops.aten.ones_like.default(x)
       slope = torch.ops.aten.where.self(sign, one, w)
       gx = torch.ops.aten.mul.Tensor(g, slope)
       gw = torch.ops.aten.mul.Tensor(g, n)
       return (y, gx, gw))",
     1e-6},
    {"RreluFunctionalInEvaluation", "x f32 3 4; n f32 3 4", R"(
       p = torch.ops.aten.rrelu_with_noise_functional.default(x, n, 0.25, 0.25, False)
       y = p[0]
       return (y,))",
     R"(
       y = torch.ops.aten.leaky_relu.default(x, 0.25)
       return (y,))",
     1e-6},
    {"ProductsWithAWiderResult", "x f32 3 4; y f32 4 2; b f32 2", R"(
       h = torch.ops.aten._to_copy.default(x, dtype = torch.bfloat16)
       k = torch.ops.aten._to_copy.default(y, dtype = torch.bfloat16)
       c = torch.ops.aten._to_copy.default(b, dtype = torch.bfloat16)
       p = torch.ops.aten.mm.dtype(h, k, torch.float32)
       q = torch.ops.aten.addmm.dtype(c, h, k, torch.float32, beta = 2)
       return (p, q))",
     R"(
       h0 = torch.ops.aten._to_copy.default(x, dtype = torch.bfloat16)
       k0 = torch.ops.aten._to_copy.default(y, dtype = torch.bfloat16)
       c0 = torch.ops.aten._to_copy.default(b, dtype = torch.bfloat16)
       h = torch.ops.aten._to_copy.default(h0, dtype = torch.float32)
       k = torch.ops.aten._to_copy.default(k0, dtype = torch.float32)
       c = torch.ops.aten._to_copy.default(c0, dtype = torch.float32)
       p = torch.ops.aten.matmul.default(h, k)
       c2 = torch.ops.aten.mul.Tensor(c, 2)
       q = torch.ops.aten.add.Tensor(p, c2)
       return (p, q))",
     1e-6},
    {"IntegerProduct", "x i64<100 3 4; y i64<100 4 2", R"(
       a = torch.ops.aten._to_copy.default(x, dtype = torch.int8)
       b = torch.ops.aten._to_copy.default(y, dtype = torch.int8)
       p = torch.ops.aten._int_mm.default(a, b)
       return (p,))",
     R"(
       q = torch.ops.aten.mm.default(x, y)
       p = torch.ops.aten._to_copy.default(q, dtype = torch.int32)
       return (p,))"},
    {"AssertionsAreDropped", "x f32 3", R"(
       n = torch.ops.aten.sym_size.int(x, 0)
       c = torch.ops.aten.sym_constrain_range_for_size.default(n, min = 0, max = 10)
       e = torch.ops.aten.sum.default(x)
       a = torch.ops.aten._assert_async.msg(e, 'never seen')
       b = torch.ops.aten._assert_scalar.default(True, 'never seen')
       m = torch.ops.aten._assert_tensor_metadata.default(x, None, None, torch.float32, device = device(type='cpu'), layout = torch.strided)
       return (x,))",
     "return (x,)"},
    {"DependencyTokensPassThrough", "x f32 3; token f32 1", R"(
       e = torch.ops.aten.sum.default(x)
       t = torch.ops.aten._functional_assert_async.msg(e, 'never seen', token)
       u = torch.ops.aten._functional_sym_constrain_range.default(3, 0, 5, t)
       return (u,))",
     "return (token,)"},
    {"LazyCopies", "x f32 2 3", R"(
       a = torch.ops.aten._lazy_clone.default(x)
       b = torch.ops.aten._reshape_copy.default(x, [3, 2])
       return (a, b))",
     R"(
       b = torch.ops.aten.view.default(x, [3, 2])
       return (x, b))"},
};

}  // namespace culprit::graph::text
