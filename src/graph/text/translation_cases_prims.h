// SPDX-License-Identifier: Apache-2.0
//
// Cases for translation_cases.h: prims::*.
#pragma once

#include "graph/text/translation_cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kPrimsCases[] = {
    {"ConvertElementType", "x f32 2 3", R"(
       y = torch.ops.prims.convert_element_type.default(x, torch.float64)
       return (y,))",
     R"(
       y = torch.ops.aten.to.dtype(x, torch.float64)
       return (y,))"},
    {"IotaFromZero", "", R"(
       y = torch.ops.prims.iota.default(5, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
       return (y,))",
     R"(
       y = torch.ops.aten.arange.default(5, dtype = torch.int64)
       return (y,))"},
    {"IotaWithStartAndStep", "", R"(
       y = torch.ops.prims.iota.default(4, start = 7, step = -2, dtype = torch.int32, device = device(type='cpu'), requires_grad = False)
       return (y,))",
     R"(
       a = torch.ops.aten.arange.default(4, dtype = torch.int32)
       b = torch.ops.aten.mul.Tensor(a, -2)
       y = torch.ops.aten.add.Tensor(b, 7)
       return (y,))"},
    {"IotaOfASize", "x f32 6 2", R"(
       n = torch.ops.aten.sym_size.int(x, 0)
       y = torch.ops.prims.iota.default(n, start = 2, step = 3, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
       return (y,))",
     R"(
       a = torch.ops.aten.arange.default(6, dtype = torch.int64)
       b = torch.ops.aten.mul.Tensor(a, 3)
       y = torch.ops.aten.add.Tensor(b, 2)
       return (y,))"},
    {"DevicePut", "x f32 3", R"(
       y = torch.ops.prims.device_put.default(x, device(type='cpu'))
       return (y,))",
     "return (x,)"},
    {"Fma", "a f32 3 4; b f32 3 4; c f32 3 4", R"(
       y = torch.ops.prims.fma.default(a, b, c)
       return (y,))",
     R"(
       p = torch.ops.aten.mul.Tensor(a, b)
       y = torch.ops.aten.add.Tensor(p, c)
       return (y,))",
     1e-6},
    {"PrepareSoftmaxOnline", "x f32 4 7", R"(
       p = torch.ops.prims.prepare_softmax_online.default(x, -1)
       m = p[0]
       s = p[1]
       a = torch.ops.aten.sub.Tensor(x, m)
       e = torch.ops.aten.exp.default(a)
       y = torch.ops.aten.div.Tensor(e, s)
       return (m, y))",
     R"(
       m = torch.ops.aten.amax.default(x, [1], True)
       y = torch.ops.aten.softmax.int(x, 1)
       return (m, y))",
     1e-6},
    {"Bucketize", "x f32 9; b f32 4", R"(
       s = torch.ops.aten.cumsum.default(b, 0)
       c = torch.ops.aten.abs.default(s)
       o, i = torch.ops.aten.sort.default(c)
       y = torch.ops.prims._inductor_bucketize.default(x, o, out_int32 = True, right = True)
       return (y,))",
     R"(
       s = torch.ops.aten.cumsum.default(b, 0)
       c = torch.ops.aten.abs.default(s)
       o, i = torch.ops.aten.sort.default(c)
       column = torch.ops.aten.unsqueeze.default(x, 1)
       below = torch.ops.aten.ge.Tensor(column, o)
       y = torch.ops.aten.sum.dim_IntList(below, [1], False, dtype = torch.int32)
       return (y,))"},
    {"ForceStrideOrder", "x f32 2 3 4", R"(
       y = torch.ops.prims.inductor_force_stride_order.default(x, [12, 1, 3])
       n = torch.ops.aten.as_strided.default(y, [24], [1])
       return (y, n))",
     R"(
       t = torch.ops.aten.transpose.int(x, 1, 2)
       n = torch.ops.aten.reshape.default(t, [24])
       return (x, n))"},
    {"SeedsAreLookedUp", "", R"(
       s = torch.ops.prims.inductor_seeds.default(3, device(type='cpu'))
       a = torch.ops.prims.inductor_lookup_seed.default(s, 2)
       b = torch.ops.aten.select.int(s, 0, 2)
       same = torch.ops.aten.eq.Tensor(a, b)
       z = torch.ops.aten.zeros_like.default(s)
       return (same, z))",
     R"(
       same = torch.ops.aten.full.default([], True, dtype = torch.bool)
       z = torch.ops.aten.zeros.default([3], dtype = torch.int64)
       return (same, z))"},
    {"RandomNumbersAreUniform", "", R"(
       s = torch.ops.prims.inductor_seed.default(device(type='cpu'))
       r = torch.ops.prims.inductor_random.default([100, 100], s, 'rand')
       c = torch.ops.aten.clamp.default(r, 0, 1)
       inside = torch.ops.aten.eq.Tensor(c, r)
       all = torch.ops.aten.all.default(inside)
       m = torch.ops.aten.mean.default(r)
       return (all, m))",
     R"(
       all = torch.ops.aten.full.default([], True, dtype = torch.bool)
       m = torch.ops.aten.full.default([], 0.5)
       return (all, m))",
     0.03},
    {"RandomNumbersAreNormal", "", R"(
       s = torch.ops.prims.inductor_seed.default(device(type='cpu'))
       r = torch.ops.prims.inductor_random.default([100, 100], s, 'randn', align_dtype = torch.float16)
       v, m = torch.ops.aten.var_mean.correction(r, None, correction = 0)
       return (v, m))",
     R"(
       v = torch.ops.aten.full.default([], 1.0)
       m = torch.ops.aten.full.default([], 0.0)
       return (v, m))",
     0.08},
    {"RandomIntsAreInRange", "", R"(
       s = torch.ops.prims.inductor_seed.default(device(type='cpu'))
       r = torch.ops.prims.inductor_randint.default(2, 5, [1000], s)
       low = torch.ops.aten.min.default(r)
       high = torch.ops.aten.max.default(r)
       return (low, high))",
     R"(
       low = torch.ops.aten.full.default([], 2)
       high = torch.ops.aten.full.default([], 4)
       return (low, high))"},
    {"PhiloxRand", "seed i64<9; offset i64<9", R"(
       p = torch.ops.rngprims.philox_rand.default([2, 3], seed, offset, None, device(type='cpu'), torch.float32)
       r = p[0]
       o = p[1]
       z = torch.ops.aten.zeros_like.default(r)
       return (z, o))",
     R"(
       z = torch.ops.aten.zeros.default([2, 3])
       return (z, offset))"},
    {"Shapes", "x f32 2 3 4", R"(
       a = torch.ops.prims.view_of.default(x)
       b = torch.ops.prims.transpose.default(a, [2, 0, 1])
       c = torch.ops.prims.collapse_view.default(b, 1, 2)
       d = torch.ops.prims.split_dim.default(c, 1, 2)
       e = torch.ops.prims.rev.default(d, [0])
       f = torch.ops.prims.slice_in_dim.default(e, 1, 3, 1, 2)
       g = torch.ops.prims.reshape.default(f, [2, 8])
       return (g,))",
     R"(
       b = torch.ops.aten.permute.default(x, [2, 0, 1])
       e = torch.ops.aten.flip.default(b, [0])
       f = torch.ops.aten.slice.Tensor(e, 2, 1, 3)
       g = torch.ops.aten.reshape.default(f, [2, 8])
       return (g,))"},
    {"Reductions", "x f32 3 4", R"(
       a = torch.ops.prims.sum.default(x, [1])
       b = torch.ops.prims.amax.default(x, [0])
       c = torch.ops.prims.var.default(x, [1], 1.0)
       d = torch.ops.prims.var.default(x, [1], 0)
       return (a, b, c, d))",
     R"(
       a = torch.ops.aten.sum.dim_IntList(x, [1])
       b, i = torch.ops.aten.max.dim(x, 0)
       c = torch.ops.aten.var.dim(x, [1], True)
       d = torch.ops.aten.var.dim(x, [1], False)
       return (a, b, c, d))",
     1e-6},
    {"Elementwise", "x f32 3 4; y f32 3 4", R"(
       a = torch.ops.prims.add.default(x, y)
       b = torch.ops.prims.mul.default(a, 2)
       c = torch.ops.prims.tanh.default(b)
       g = torch.ops.prims.gt.default(x, y)
       d = torch.ops.prims.where.default(g, c, x)
       return (d,))",
     R"(
       a = torch.ops.aten.add.Tensor(x, y)
       b = torch.ops.aten.add.Tensor(a, a)
       c = torch.ops.aten.tanh.default(b)
       g = torch.ops.aten.lt.Tensor(y, x)
       d = torch.ops.aten.where.self(g, c, x)
       return (d,))"},
    {"BroadcastInDim", "x f32 2 3", R"(
       y = torch.ops.prims.broadcast_in_dim.default(x, [2, 5, 3, 4], [0, 2])
       return (y,))",
     R"(
       a = torch.ops.aten.view.default(x, [2, 1, 3, 1])
       y = torch.ops.aten.expand.default(a, [2, 5, 3, 4])
       return (y,))"},
    {"MaxPoolOffsetsComeBackAsIndices", "x f32 2 3 9 8", R"(
       p = torch.ops.prims._low_memory_max_pool2d_with_offsets.default(x, [3, 3], [2, 2], [1, 1], [1, 1], False)
       v = p[0]
       o = p[1]
       i = torch.ops.prims._low_memory_max_pool2d_offsets_to_indices.default(o, 3, 8, [2, 2], [1, 1])
       return (v, i))",
     R"(
       v, i = torch.ops.aten.max_pool2d_with_indices.default(x, [3, 3], [2, 2], [1, 1])
       return (v, i))"},
    {"MaxPoolOffsetsWithDilation", "x f32 2 3 9 8", R"(
       p = torch.ops.prims._low_memory_max_pool_with_offsets.default(x, [2, 3], [1, 2], [1, 1], [2, 1], True)
       v = p[0]
       o = p[1]
       i = torch.ops.prims._low_memory_max_pool_offsets_to_indices.default(o, [2, 3], [9, 8], [1, 2], [1, 1], [2, 1])
       return (v, i))",
     R"(
       v, i = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 3], [1, 2], [1, 1], [2, 1], True)
       return (v, i))"},
};

}  // namespace culprit::graph::text
