// SPDX-License-Identifier: Apache-2.0
//
// Cases for translation_cases.h: attention, forward; the backward is tested against autograd.
#pragma once

#include "tests/graph/translations/cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kAttentionCases[] = {
    {"FlashAttention", "q f32 2 3 4 8; k f32 2 3 5 8; v f32 2 3 5 8", R"(
       a = torch.ops.aten._scaled_dot_product_flash_attention.default(q, k, v, 0.0, True, scale = 0.25)
       y = a[0]
       l = a[1]
       return (y, l))",
     R"(
       kt = torch.ops.aten.permute.default(k, [0, 1, 3, 2])
       s0 = torch.ops.aten.matmul.default(q, kt)
       s1 = torch.ops.aten.mul.Tensor(s0, 0.25)
       o = torch.ops.aten.ones.default([4, 5], dtype = torch.bool)
       t = torch.ops.aten.tril.default(o)
       h = torch.ops.aten.logical_not.default(t)
       s3 = torch.ops.aten.masked_fill.Scalar(s1, h, float('-inf'))
       e = torch.ops.aten.exp.default(s3)
       z = torch.ops.aten.sum.dim_IntList(e, [-1], True)
       p = torch.ops.aten.div.Tensor(e, z)
       y = torch.ops.aten.matmul.default(p, v)
       l0 = torch.ops.aten.log.default(z)
       l = torch.ops.aten.squeeze.dim(l0, -1)
       return (y, l))",
     1e-5, true},
    {"EfficientAttention", "q f32 2 3 4 8; k f32 2 3 5 8; v f32 2 3 5 8; b f32 2 3 4 5", R"(
       a = torch.ops.aten._scaled_dot_product_efficient_attention.default(q, k, v, b, True, 0.0, True)
       y = a[0]
       l = a[1]
       return (y, l))",
     R"(
       kt = torch.ops.aten.permute.default(k, [0, 1, 3, 2])
       s0 = torch.ops.aten.matmul.default(q, kt)
       s1 = torch.ops.aten.mul.Tensor(s0, 0.35355339059327373)
       s2 = torch.ops.aten.add.Tensor(s1, b)
       o = torch.ops.aten.ones.default([4, 5], dtype = torch.bool)
       t = torch.ops.aten.tril.default(o)
       h = torch.ops.aten.logical_not.default(t)
       s3 = torch.ops.aten.masked_fill.Scalar(s2, h, float('-inf'))
       e = torch.ops.aten.exp.default(s3)
       z = torch.ops.aten.sum.dim_IntList(e, [-1], True)
       p = torch.ops.aten.div.Tensor(e, z)
       y = torch.ops.aten.matmul.default(p, v)
       l0 = torch.ops.aten.log.default(z)
       l = torch.ops.aten.squeeze.dim(l0, -1)
       return (y, l))",
     1e-5, true},
    {"CudnnAttention", "q f32 2 3 4 8; k f32 2 3 5 8; v f32 2 3 5 8", R"(
       a = torch.ops.aten._scaled_dot_product_cudnn_attention.default(q, k, v, None, True, 0.0, False, False, scale = 0.5)
       y = a[0]
       l = a[1]
       return (y, l))",
     R"(
       kt = torch.ops.aten.permute.default(k, [0, 1, 3, 2])
       s0 = torch.ops.aten.matmul.default(q, kt)
       s1 = torch.ops.aten.mul.Tensor(s0, 0.5)
       e = torch.ops.aten.exp.default(s1)
       z = torch.ops.aten.sum.dim_IntList(e, [-1], True)
       p = torch.ops.aten.div.Tensor(e, z)
       y = torch.ops.aten.matmul.default(p, v)
       l0 = torch.ops.aten.log.default(z)
       l = torch.ops.aten.squeeze.dim(l0, -1)
       return (y, l))",
     1e-5, true},
    {"ResultsCanBeViewedAsOneRowPerToken", "q f32 2 3 4 8; k f32 2 3 5 8; v f32 2 3 5 8", R"(
       a = torch.ops.aten._scaled_dot_product_flash_attention.default(q, k, v)
       y = a[0]
       t = torch.ops.aten.permute.default(y, [0, 2, 1, 3])
       w = torch.ops.aten.view.default(t, [2, 4, 24])
       return (w,))",
     R"(
       kt = torch.ops.aten.permute.default(k, [0, 1, 3, 2])
       s0 = torch.ops.aten.matmul.default(q, kt)
       s1 = torch.ops.aten.mul.Tensor(s0, 0.35355339059327373)
       e = torch.ops.aten.exp.default(s1)
       z = torch.ops.aten.sum.dim_IntList(e, [-1], True)
       p = torch.ops.aten.div.Tensor(e, z)
       y = torch.ops.aten.matmul.default(p, v)
       l0 = torch.ops.aten.log.default(z)
       l = torch.ops.aten.squeeze.dim(l0, -1)
       t = torch.ops.aten.permute.default(y, [0, 2, 1, 3])
       w = torch.ops.aten.reshape.default(t, [2, 4, 24])
       return (w,))",
     1e-5, true},
};

}  // namespace culprit::graph::text
