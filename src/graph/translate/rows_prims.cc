// SPDX-License-Identifier: Apache-2.0
//
// prims::* and rngprims::*: what PyTorch's decompositions and Inductor's own passes leave in a graph.
#include "graph/translate/rows.h"

namespace culprit::graph::translate {
namespace {

constexpr Translation kRows[] = {
    {"prims::convert_element_type", "a, dtype", "", "return aten._to_copy.default(a, dtype=dtype)"},
    {"prims::device_put", "a, device, non_blocking=False", "",
     "return aten._to_copy.default(a, device=device, non_blocking=non_blocking)"},
    {"prims::iota", "length, *, start, step, dtype=None, device=None, requires_grad=False",
     "start == 0 and step == 1", "return aten.arange.default(length, dtype=dtype, device=device)"},
    {"prims::iota", "length, *, start, step, dtype=None, device=None, requires_grad=False", "", R"(
       span = length * step
       end = start + span
       return aten.arange.start_step(start, end, step, dtype=dtype, device=device))"},
    {"prims::fma", "a, b, c", "", "return aten.addcmul.default(c, a, b)"},  // rounds twice
    {"prims::prepare_softmax_online", "a, dim", "", R"(
       largest = aten.amax.default(a, [dim], True)
       shifted = aten.sub.Tensor(a, largest)
       powers = aten.exp.default(shifted)
       total = aten.sum.dim_IntList(powers, [dim], True)
       return (largest, total))"},
    {"prims::_inductor_bucketize", "input, boundaries, *, out_int32=False, right=False", "",
     "return aten.bucketize.Tensor(input, boundaries, out_int32=out_int32, right=right)"},
    {"prims::_unsafe_index_put_", "self, indices, values, accumulate=False", "",
     "return aten.index_put_.default(self, indices, values, accumulate)"},
    {"prims::inductor_force_stride_order", "input, stride", "", R"(
       size = aten.sym_size.default(input)
       buffer = aten.new_empty_strided.default(input, size, stride)
       return aten.copy_.default(buffer, input))"},
    // Only the order of effects hangs on it.
    {"prims::_make_token", "", "", "return aten.empty.memory_format([0])"},
    {"prims::_sink_tokens", "tokens", "", ""},

    // Random numbers: the distribution is right, the stream is libtorch's own and ignores the seeds; two
    // calls with one seed differ. The numbers are drawn on the device of the seed.
    {"prims::inductor_seeds", "count, device", "",
     "return aten.randint.default(9223372036854775807, [count], dtype=torch.int64, device=device)"},
    {"prims::inductor_seed", "device", "",
     "return aten.randint.default(9223372036854775807, [], dtype=torch.int64, device=device)"},
    {"prims::inductor_lookup_seed", "seeds, index", "", "return aten.select.int(seeds, 0, index)"},
    {"prims::inductor_random", "size, seed, mode, *, align_dtype=None", "mode == 'rand'", R"(
       buffer = aten.new_empty.default(seed, size, dtype=torch.float32)
       return aten.rand_like.default(buffer))"},
    {"prims::inductor_random", "size, seed, mode, *, align_dtype=None", "mode == 'randn'", R"(
       buffer = aten.new_empty.default(seed, size, dtype=torch.float32)
       return aten.randn_like.default(buffer))"},
    {"prims::inductor_randint", "low, high, size, seed", "", R"(
       buffer = aten.new_empty.default(seed, size, dtype=torch.int64)
       return aten.randint_like.low_dtype(buffer, low, high))"},
    {"prims::normal", "shape, *, mean, std, dtype, device, requires_grad=False, generator=None",
     "generator is None", "return aten.normal.float_float(mean, std, shape, dtype=dtype, device=device)"},
    {"rngprims::philox_rand", "size, seed, offset, stride, device=None, dtype=None", "", R"(
       numbers = aten.rand.default(size, dtype=dtype, device=device)
       return (numbers, offset))"},

    {"prims::view_of", "a", "", "return aten.alias.default(a)"},
    {"prims::view_element_type", "a, dtype", "", "return aten.view.dtype(a, dtype)"},
    {"prims::view_of_dtype", "a, dtype", "", "return aten.view.dtype(a, dtype)"},
    {"prims::squeeze", "a, dimensions", "", "return aten.squeeze.dims(a, dimensions)"},
    {"prims::transpose", "a, permutation", "", "return aten.permute.default(a, permutation)"},
    {"prims::reshape", "a, shape", "", "return aten.reshape.default(a, shape)"},
    {"prims::collapse_view", "a, start, end", "", "return aten.flatten.using_ints(a, start, end)"},
    {"prims::collapse", "a, start, end", "", "return aten.flatten.using_ints(a, start, end)"},
    {"prims::split_dim", "a, dim, outer_length", "", "return aten.unflatten.int(a, dim, [outer_length, -1])"},
    {"prims::slice_in_dim", "a, start_index, limit_index, stride=1, axis=0", "",
     "return aten.slice.Tensor(a, axis, start_index, limit_index, stride)"},
    {"prims::as_strided", "a, size, stride, storage_offset", "",
     "return aten.as_strided.default(a, size, stride, storage_offset)"},
    {"prims::rev", "a, dims", "", "return aten.flip.default(a, dims)"},
    {"prims::cat", "tensors, dim", "", "return aten.cat.default(tensors, dim)"},
    {"prims::clone", "self, *, memory_format=None", "",
     "return aten.clone.default(self, memory_format=memory_format)"},
    {"prims::copy_to", "a, b", "", "return aten.copy_.default(a, b)"},
    {"prims::item", "a", "", "return aten._local_scalar_dense.default(a)"},
    {"prims::where", "pred, a, b", "", "return aten.where.self(pred, a, b)"},

    {"prims::sum", "inp, dims, *, output_dtype=None", "",
     "return aten.sum.dim_IntList(inp, dims, False, dtype=output_dtype)"},
    {"prims::amax", "inp, dims, *, output_dtype=None", "output_dtype is None",
     "return aten.amax.default(inp, dims)"},
    {"prims::amin", "inp, dims, *, output_dtype=None", "output_dtype is None",
     "return aten.amin.default(inp, dims)"},
    {"prims::var", "inp, dims, correction=1, *, output_dtype=None", "output_dtype is None",
     "return aten.var.correction(inp, dims, correction=correction)"},

    {"prims::empty", "shape, *, dtype, device, requires_grad=False", "",
     "return aten.empty.memory_format(shape, dtype=dtype, device=device)"},
    {"prims::empty_strided", "shape, strides, *, dtype, device, requires_grad=False", "",
     "return aten.empty_strided.default(shape, strides, dtype=dtype, device=device)"},
    {"prims::full", "shape, fill_value, *, dtype, device, requires_grad=False", "",
     "return aten.full.default(shape, fill_value, dtype=dtype, device=device)"},
    {"prims::full_like", "a, fill_value, *, dtype, device, requires_grad=False", "",
     "return aten.full_like.default(a, fill_value, dtype=dtype, device=device)"},
    {"prims::scalar_tensor", "s, *, dtype=None, device=None", "",
     "return aten.scalar_tensor.default(s, dtype=dtype, device=device)"},
};

}  // namespace

std::span<const Translation> PrimsTranslations() {
  return kRows;
}

}  // namespace culprit::graph::translate
