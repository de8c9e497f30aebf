// SPDX-License-Identifier: Apache-2.0
//
// Cases for cases.h: collectives, which a rank runs on its own.
#pragma once

#include "tests/graph/translations/cases.h"

namespace culprit::graph::text {

inline constexpr TranslationCase kCollectiveCases[] = {
    {"AllReduce", "x f32 2 3", R"(
       a = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')
       b = torch.ops._c10d_functional.wait_tensor.default(a)
       c = torch.ops.c10d_functional.all_reduce.default(x, 'sum', '', [0, 1], 2)
       d = torch.ops.c10d_functional.wait_tensor.default(c)
       return (b, d))",
     "return (x, x)"},
    {"AllReduceIsACopy", "x f32 2 3", R"(
       a = torch.ops._c10d_functional.all_reduce.default(x, 'avg', '0')
       b = torch.ops.aten.add_.Scalar(a, 1)
       return (x,))",
     "return (x,)"},
    {"AllReduceInPlaceIsTheTensor", "x f32 2 3", R"(
       a = torch.ops._c10d_functional.all_reduce_.default(x, 'sum', '0')
       b = torch.ops.aten.add_.Scalar(a, 1)
       c = torch.ops._c10d_functional.broadcast_.default(b, 0, '0')
       return (x, c))",
     R"(
       y = torch.ops.aten.add.Scalar(x, 1)
       return (y, y))"},
    {"AllReduceOfSeveral", "x f32 2 3; y f32 4", R"(
       a = torch.ops._c10d_functional.all_reduce_coalesced.default([x, y], 'sum', '0')
       b = a[0]
       c = a[1]
       d = torch.ops._c10d_functional.all_reduce_coalesced_.default([y], 'sum', '0')
       e = d[0]
       return (b, c, e))",
     "return (x, y, y)"},
    {"Broadcast", "x f32 2 3", R"(
       a = torch.ops._c10d_functional.broadcast.default(x, 0, '0')
       b = torch.ops.c10d_functional.broadcast.default(x, 0, '', [0, 1], 2)
       return (a, b))",
     "return (x, x)"},
    {"AllGather", "x f32 2 3; y f32", R"(
       a = torch.ops._c10d_functional.all_gather_into_tensor.default(x, 3, '0')
       b = torch.ops._c10d_functional_autograd.all_gather_into_tensor.default(x, 3, '0')
       c = torch.ops.c10d_functional.all_gather_into_tensor.default(x, '', [0, 1, 2], 3)
       d = torch.ops._c10d_functional.all_gather_into_tensor.default(y, 2, '0')
       e = torch.ops._c10d_functional.all_gather_into_tensor_coalesced.default([x], 3, '0')
       f = e[0]
       return (a, b, c, d, f))",
     R"(
       a = torch.ops.aten.repeat.default(x, [3, 1])
       d = torch.ops.aten.repeat.default(y, [2])
       return (a, a, a, d, a))"},
    {"AllGatherIntoAnOutput", "x f32 2 3; y f32 6 3", R"(
       a = torch.ops._c10d_functional.all_gather_into_tensor_out.default(x, 3, '0', out = y)
       return (a, y))",
     R"(
       a = torch.ops.aten.repeat.default(x, [3, 1])
       return (a, a))"},
    {"ReduceScatter", "x f32 6 3; y f32 2 3", R"(
       a = torch.ops._c10d_functional.reduce_scatter_tensor.default(x, 'sum', 3, '0')
       b = torch.ops._c10d_functional_autograd.reduce_scatter_tensor.default(x, 'sum', 3, '0')
       c = torch.ops.c10d_functional.reduce_scatter_tensor.default(x, 'sum', '', [0, 1, 2], 3)
       d = torch.ops._c10d_functional.reduce_scatter_tensor_coalesced.default([x], 'avg', 3, '0')
       e = d[0]
       f = torch.ops._c10d_functional.reduce_scatter_tensor_out.default(x, 'sum', 3, '0', out = y)
       return (a, b, c, e, y))",
     R"(
       a = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
       return (a, a, a, a, a))"},
    {"AllToAllOfAsManyRows", "x f32 6 3", R"(
       a = torch.ops._c10d_functional.all_to_all_single.default(x, [2, 4], [4, 2], '0')
       b = torch.ops._c10d_functional_autograd.all_to_all_single.default(x, [3, 3], [3, 3], '0')
       c = torch.ops.c10d_functional.all_to_all_single.default(x, None, None, '', [0, 1], 2)
       return (a, b, c))",
     "return (x, x, x)"},
    {"AllToAllOfOtherNumbersOfRows", "x f32 3 2", R"(
       s = torch.ops.aten.sym_size.int(x, 0)
       a = torch.ops._c10d_functional.all_to_all_single.default(x, [1, 1], [2, 1], '0')
       b = torch.ops._c10d_functional.all_to_all_single.default(x, [s, s], [2, 1], '0')
       return (a, b))",
     R"(
       a = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
       b = torch.ops.aten.repeat.default(x, [2, 1])
       return (a, b))"},
    // A tensor of as many numbers as a stride, since outputs are compared by sizes.
    {"ResultsAreContiguous", "x f32 2 3 4 4", R"(
       y = torch.ops.aten.clone.default(x, memory_format=torch.channels_last)
       a = torch.ops._c10d_functional.all_reduce.default(y, 'sum', '0')
       b = torch.ops._c10d_functional.all_gather_into_tensor.default(y, 2, '0')
       c = torch.ops._c10d_functional.reduce_scatter_tensor.default(y, 'sum', 2, '0')
       d = torch.ops._c10d_functional.all_to_all_single.default(y, [2, 2], [1, 1], '0')
       i = torch.ops.aten.sym_stride.int(a, 1)
       j = torch.ops.aten.sym_stride.int(b, 1)
       k = torch.ops.aten.sym_stride.int(c, 1)
       l = torch.ops.aten.sym_stride.int(d, 1)
       r = torch.ops.aten.full.default([i, j, k, l], 1.0)
       return (r,))",
     R"(
       r = torch.ops.aten.full.default([16, 16, 16, 16], 1.0)
       return (r,))"},
    {"AutogradWrapsNothing", "x f32 3", R"(
       a = torch.ops._c10d_functional._wrap_tensor_autograd.default(x)
       return (a,))",
     "return (x,)"},
    {"FsdpCopiesIn", "x f32 2; y f32 3; z f32 10", R"(
       a = torch.ops.fsdp.all_gather_copy_in.default([x, y], z, [2, 3], 5, 1)
       b = a[0]
       c = a[1]
       d = torch.ops.fsdp.all_gather_copy_in.default([x, y], [2, 3], 5, 2, 0, torch.float32, device(type='cpu'))
       e = d[0]
       return (b, c, e))",
     R"(
       b = torch.ops.aten.cat.default([x, y])
       h = torch.ops.aten.slice.Tensor(z, 0, 0, 5)
       c = torch.ops.aten.cat.default([h, b])
       return (b, c, b))"},
    {"FsdpWritesToItsOutputs", "x f32 2 5; y f32 2 2; z f32 2 3; u f32 4; v f32 4; w f32 2 2", R"(
       a = torch.ops.fsdp.split_with_sizes_copy.default(x, [2, 3], 1, out = [y, z])
       b = torch.ops.fsdp.copy_.default(u, v)
       c = torch.ops.fsdp.chunk_cat.default([v], 0, 2, out = w)
       return (y, z, u, w))",
     R"(
       y = torch.ops.aten.slice.Tensor(x, 1, 0, 2)
       z = torch.ops.aten.slice.Tensor(x, 1, 2, 5)
       w = torch.ops.aten.view.default(v, [2, 2])
       return (y, z, v, w))"},
};

}  // namespace culprit::graph::text
