// SPDX-License-Identifier: Apache-2.0
//
// Cases for translation_cases.h: normalization and softmax.
#pragma once

#include "graph/text/translation_cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kNormalizationCases[] = {
    {"BatchNormLegitUpdatesTheStatistics", "x f32 4 3 5; w f32 3; b f32 3; m f32 3; v f32 3 positive", R"(
       n = torch.ops.aten._native_batch_norm_legit.default(x, w, b, m, v, True, 0.1, 1e-05)
       y = n[0]
       return (y, m, v))",
     R"(
       var, mean = torch.ops.aten.var_mean.correction(x, [0, 2], correction = 0, keepdim = True)
       c = torch.ops.aten.sub.Tensor(x, mean)
       d = torch.ops.aten.add.Tensor(var, 1e-05)
       r = torch.ops.aten.rsqrt.default(d)
       h = torch.ops.aten.mul.Tensor(c, r)
       w1 = torch.ops.aten.view.default(w, [3, 1])
       b1 = torch.ops.aten.view.default(b, [3, 1])
       hw = torch.ops.aten.mul.Tensor(h, w1)
       y = torch.ops.aten.add.Tensor(hw, b1)
       unbiased, flat = torch.ops.aten.var_mean.correction(x, [0, 2], correction = 1)
       m1 = torch.ops.aten.lerp.Scalar(m, flat, 0.1)
       v1 = torch.ops.aten.lerp.Scalar(v, unbiased, 0.1)
       return (y, m1, v1))",
     1e-5},
    {"BatchNormLegitFunctionalLeavesTheStatistics",
     "x f32 4 3 5 2; w f32 3; b f32 3; m f32 3; v f32 3 positive",
     R"(
       n = torch.ops.aten._native_batch_norm_legit_functional.default(x, w, b, m, v, True, 0.1, 1e-05)
       y = n[0]
       mean = n[1]
       rstd = n[2]
       m1 = n[3]
       v1 = n[4]
       return (y, mean, rstd, m1, v1, m, v))",
     R"(
       y, mean, rstd = torch.ops.aten.native_batch_norm.default(x, w, b, None, None, True, 0.1, 1e-05)
       unbiased, flat = torch.ops.aten.var_mean.correction(x, [0, 2, 3], correction = 1)
       m1 = torch.ops.aten.lerp.Scalar(m, flat, 0.1)
       v1 = torch.ops.aten.lerp.Scalar(v, unbiased, 0.1)
       return (y, mean, rstd, m1, v1, m, v))",
     1e-5},
    {"BatchNormWithoutStatistics", "x f32 4 3 5", R"(
       n = torch.ops.aten._native_batch_norm_legit.no_stats(x, None, None, True, 0.1, 1e-05)
       y = n[0]
       return (y,))",
     R"(
       var, mean = torch.ops.aten.var_mean.correction(x, [0, 2], correction = 0, keepdim = True)
       c = torch.ops.aten.sub.Tensor(x, mean)
       d = torch.ops.aten.add.Tensor(var, 1e-05)
       s = torch.ops.aten.sqrt.default(d)
       y = torch.ops.aten.div.Tensor(c, s)
       return (y,))",
     1e-5},
    {"BatchNormNoTraining", "x f32 4 3 5; w f32 3; b f32 3; m f32 3; v f32 3 positive", R"(
       n = torch.ops.aten._native_batch_norm_legit_no_training.default(x, w, b, m, v, 0.1, 1e-05)
       y = n[0]
       return (y,))",
     R"(
       d = torch.ops.aten.add.Tensor(v, 1e-05)
       r = torch.ops.aten.rsqrt.default(d)
       s = torch.ops.aten.mul.Tensor(r, w)
       s1 = torch.ops.aten.view.default(s, [3, 1])
       m1 = torch.ops.aten.view.default(m, [3, 1])
       b1 = torch.ops.aten.view.default(b, [3, 1])
       c = torch.ops.aten.sub.Tensor(x, m1)
       h = torch.ops.aten.mul.Tensor(c, s1)
       y = torch.ops.aten.add.Tensor(h, b1)
       return (y,))",
     1e-5},
    {"BatchNormWithUpdateAndItsBackward",
     "x f32 4 3 5; w f32 3; b f32 3; m f32 3; v f32 3 positive; g f32 4 3 5",
     R"(
       n = torch.ops.aten._batch_norm_with_update_functional.default(x, w, b, m, v, 0.1, 1e-05)
       y = n[0]
       mean = n[1]
       rstd = n[2]
       reserve = n[3]
       m1 = n[4]
       v1 = n[5]
       d = torch.ops.aten.batch_norm_backward.default(g, x, w, m1, v1, mean, rstd, True, 1e-05, [True, True, True], reserve)
       gx = d[0]
       gw = d[1]
       gb = d[2]
       return (y, gx, gw, gb))",
     R"(
       var, mean = torch.ops.aten.var_mean.correction(x, [0, 2], correction = 0, keepdim = True)
       c = torch.ops.aten.sub.Tensor(x, mean)
       d = torch.ops.aten.add.Tensor(var, 1e-05)
       r = torch.ops.aten.rsqrt.default(d)
       h = torch.ops.aten.mul.Tensor(c, r)
       w1 = torch.ops.aten.view.default(w, [3, 1])
       b1 = torch.ops.aten.view.default(b, [3, 1])
       hw = torch.ops.aten.mul.Tensor(h, w1)
       y = torch.ops.aten.add.Tensor(hw, b1)
       gh = torch.ops.aten.mul.Tensor(g, h)
       gw = torch.ops.aten.sum.dim_IntList(gh, [0, 2])
       gb = torch.ops.aten.sum.dim_IntList(g, [0, 2])
       mean_g = torch.ops.aten.mean.dim(g, [0, 2], True)
       mean_gh = torch.ops.aten.mean.dim(gh, [0, 2], True)
       along = torch.ops.aten.mul.Tensor(h, mean_gh)
       g1 = torch.ops.aten.sub.Tensor(g, mean_g)
       g2 = torch.ops.aten.sub.Tensor(g1, along)
       rw = torch.ops.aten.mul.Tensor(r, w1)
       gx = torch.ops.aten.mul.Tensor(g2, rw)
       return (y, gx, gw, gb))",
     1e-5},
    {"BatchNormNoUpdate", "x f32 4 3 5; w f32 3; b f32 3; m f32 3; v f32 3 positive", R"(
       n = torch.ops.aten._batch_norm_no_update.default(x, w, b, m, v, 0.1, 1e-05)
       y = n[0]
       return (y,))",
     R"(
       y, mean, rstd = torch.ops.aten.native_batch_norm.default(x, w, b, m, v, False, 0.1, 1e-05)
       return (y,))"},
    {"SafeSoftmaxOfAMaskedRowIsZero", "x f32 3 4", R"(
       r = torch.ops.aten.arange.default(3)
       c = torch.ops.aten.unsqueeze.default(r, 1)
       last = torch.ops.aten.eq.Scalar(c, 2)
       h = torch.ops.aten.masked_fill.Scalar(x, last, float('-inf'))
       y = torch.ops.aten._safe_softmax.default(h, -1)
       return (y,))",
     R"(
       a = torch.ops.aten.softmax.int(x, 1)
       r = torch.ops.aten.arange.default(3)
       c = torch.ops.aten.unsqueeze.default(r, 1)
       last = torch.ops.aten.eq.Scalar(c, 2)
       y = torch.ops.aten.masked_fill.Scalar(a, last, 0)
       return (y,))",
     1e-6},
    {"VarianceWithFloatCorrection", "x f32 3 4", R"(
       a = torch.ops.aten.var.correction(x, [1], correction = 1.0, keepdim = True)
       b = torch.ops.aten.std.correction(x, [0], correction = 0.0)
       c = torch.ops.aten.var.correction(x)
       p = torch.ops.aten.var_mean.correction(x, [1], correction = 0.0, keepdim = True)
       d = p[0]
       e = p[1]
       q = torch.ops.aten.std_mean.correction(x, [0, 1], correction = 1.0)
       f = q[0]
       return (a, b, c, d, e, f))",
     R"(
       a = torch.ops.aten.var.dim(x, [1], True, True)
       b = torch.ops.aten.std.dim(x, [0], False)
       c = torch.ops.aten.var.default(x)
       d = torch.ops.aten.var.dim(x, [1], False, True)
       e = torch.ops.aten.mean.dim(x, [1], True)
       f = torch.ops.aten.std.default(x)
       return (a, b, c, d, e, f))",
     1e-6},
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
     1e-5},
    {"RmsNormOverTwoDimensions", "x f32 2 3 4", R"(
       y = torch.ops.aten.rms_norm.default(x, [3, 4])
       return (y,))",
     R"(
       s = torch.ops.aten.mul.Tensor(x, x)
       m = torch.ops.aten.mean.dim(s, [1, 2], True)
       r = torch.ops.aten.rsqrt.default(m)
       y = torch.ops.aten.mul.Tensor(x, r)
       return (y,))",
     1e-5},
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
