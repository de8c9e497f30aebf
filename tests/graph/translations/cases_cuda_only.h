// SPDX-License-Identifier: Apache-2.0
//
// Cases for translation_cases.h: operators that libtorch has for CUDA only.
#pragma once

#include "tests/graph/translations/cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kCudaOnlyCases[] = {
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
     1e-6, true},
    {"RmsNormAndItsBackward", "x f32 2 3 4; w f32 4; g f32 2 3 4", R"(
       n = torch.ops.aten._fused_rms_norm.default(x, [4], w, 1e-05)
       y = n[0]
       rstd = n[1]
       d = torch.ops.aten._fused_rms_norm_backward.default(g, x, [4], rstd, w, [True, True])
       gx = d[0]
       gw = d[1]
       return (y, rstd, gx, gw))",
     R"(
       s = torch.ops.aten.pow.Tensor_Scalar(x, 2)
       m = torch.ops.aten.mean.dim(s, [-1], True)
       a = torch.ops.aten.add.Tensor(m, 1e-05)
       root = torch.ops.aten.sqrt.default(a)
       rstd = torch.ops.aten.reciprocal.default(root)
       h = torch.ops.aten.div.Tensor(x, root)
       y = torch.ops.aten.mul.Tensor(h, w)
       gh = torch.ops.aten.mul.Tensor(g, h)
       gw = torch.ops.aten.sum.dim_IntList(gh, [0, 1])
       gg = torch.ops.aten.mul.Tensor(g, w)
       inner = torch.ops.aten.mul.Tensor(gg, x)
       total = torch.ops.aten.sum.dim_IntList(inner, [-1], True)
       cube = torch.ops.aten.pow.Tensor_Scalar(rstd, 3)
       factor = torch.ops.aten.mul.Tensor(total, cube)
       quarter = torch.ops.aten.div.Tensor(factor, 4)
       along = torch.ops.aten.mul.Tensor(x, quarter)
       direct = torch.ops.aten.mul.Tensor(gg, rstd)
       gx = torch.ops.aten.sub.Tensor(direct, along)
       return (y, rstd, gx, gw))",
     1e-5, true},
    {"CudnnBatchNorm", "x f32 4 3 5; w f32 3; b f32 3; m f32 3; v f32 3 positive; g f32 4 3 5", R"(
       n = torch.ops.aten.cudnn_batch_norm.default(x, w, b, m, v, True, 0.1, 1e-05)
       y = n[0]
       mean = n[1]
       rstd = n[2]
       reserve = n[3]
       d = torch.ops.aten.cudnn_batch_norm_backward.default(x, g, w, m, v, mean, rstd, 1e-05, reserve)
       gx = d[0]
       gw = d[1]
       return (y, gx, gw))",
     R"(
       y, mean, rstd = torch.ops.aten.native_batch_norm.default(x, w, b, None, None, True, 0.1, 1e-05)
       gx, gw, gb = torch.ops.aten.native_batch_norm_backward.default(g, x, w, None, None, mean, rstd, True, 1e-05, [True, True, True])
       return (y, gx, gw))",
     1e-6, true},
    {"HalfToFloatSoftmax", "x f32 3 4; g f32 3 4", R"(
       h = torch.ops.aten._to_copy.default(x, dtype = torch.float16)
       y = torch.ops.aten._softmax.default(h, -1, True)
       z = torch.ops.aten._log_softmax.default(h, -1, True)
       gy = torch.ops.aten._softmax_backward_data.default(g, y, -1, torch.float16)
       gz = torch.ops.aten._log_softmax_backward_data.default(g, z, -1, torch.float16)
       return (y, z, gy, gz))",
     R"(
       h = torch.ops.aten._to_copy.default(x, dtype = torch.float16)
       f = torch.ops.aten._to_copy.default(h, dtype = torch.float32)
       y = torch.ops.aten.softmax.int(f, 1)
       z = torch.ops.aten.log.default(y)
       a = torch.ops.aten._softmax_backward_data.default(g, y, 1, torch.float32)
       b = torch.ops.aten._log_softmax_backward_data.default(g, z, 1, torch.float32)
       gy = torch.ops.aten._to_copy.default(a, dtype = torch.float16)
       gz = torch.ops.aten._to_copy.default(b, dtype = torch.float16)
       return (y, z, gy, gz))",
     2e-3, true},
    {"FusedDropoutKeepsWithProbabilityP", "", R"(
       x = torch.ops.aten.ones.default([100, 100])
       d = torch.ops.aten._fused_dropout.default(x, 0.75)
       y = d[0]
       mask = d[1]
       again = torch.ops.aten._masked_scale.default(x, mask, 1.3333333333333333)
       m = torch.ops.aten.mean.default(y)
       e = torch.ops.aten.sub.Tensor(again, y)
       worst = torch.ops.aten.norm.Scalar(e)
       return (m, worst))",
     R"(
       m = torch.ops.aten.full.default([], 1.0)
       worst = torch.ops.aten.full.default([], 0.0)
       return (m, worst))",
     0.05, true},
};

}  // namespace culprit::graph::text
