// SPDX-License-Identifier: Apache-2.0
//
// Collectives, which run as one rank would on its own if all others held the same tensors: sums and averages
// are the rank's own numbers, what is gathered is repeated, and what is scattered is the first part. Sizes
// and dtypes are those of the real operators. Group and tag do not matter.
#include "graph/translate/expansions.h"
#include "graph/translate/rows.h"

namespace culprit::graph::translate {
namespace {

constexpr std::string_view kCopy = "return aten.clone.default(input, memory_format=torch.contiguous_format)";
constexpr std::string_view kFirstPart = R"(
       rows = aten.sym_size.int(input, 0)
       kept = rows // group_size
       part = aten.slice.Tensor(input, 0, 0, kept)
       return aten.clone.default(part, memory_format=torch.contiguous_format))";
constexpr std::string_view kReduce = "input, reduce_op, group_name";
constexpr std::string_view kScatter = "input, reduce_op, group_size, group_name";
constexpr std::string_view kGather = "input, group_size, group_name";
constexpr std::string_view kGatherAll = "inputs, group_size, group_name";
constexpr std::string_view kExchange = "input, output_split_sizes, input_split_sizes, group_name";

constexpr Translation kRows[] = {
    {"_c10d_functional::all_reduce", kReduce, "", kCopy},
    {"_c10d_functional::all_reduce_", kReduce, "", "return input"},
    {"_c10d_functional::all_reduce_coalesced_", "inputs, reduce_op, group_name", "", "return inputs"},
    {"_c10d_functional::broadcast", "input, src, group_name", "", kCopy},
    {"_c10d_functional::broadcast_", "input, src, group_name", "", "return input"},
    {"_c10d_functional::reduce_scatter_tensor", kScatter, "", kFirstPart},
    {"_c10d_functional::reduce_scatter_tensor_out", "input, reduce_op, group_size, group_name, *, out", "",
     R"(
       rows = aten.sym_size.int(input, 0)
       kept = rows // group_size
       part = aten.slice.Tensor(input, 0, 0, kept)
       return aten.copy_.default(out, part))"},
    {"_c10d_functional::wait_tensor", "tensor", "", "return tensor"},
    {"_c10d_functional::_wrap_tensor_autograd", "input", "", "return input"},
    {"_c10d_functional_autograd::reduce_scatter_tensor", kScatter, "", kFirstPart},

    {"c10d_functional::all_reduce", "input, reduceOp, tag, ranks, group_size", "", kCopy},
    {"c10d_functional::broadcast", "input, src, tag, ranks, group_size", "", kCopy},
    {"c10d_functional::reduce_scatter_tensor", "input, reduceOp, tag, ranks, group_size", "", kFirstPart},
    {"c10d_functional::wait_tensor", "tensor", "", "return tensor"},

    {"fsdp::all_gather_copy_in", "inputs, output, inp_split_sizes, numel, rank, dtype=None, device=None",
     "dtype is None", R"(
       begin = numel * rank
       end = begin + numel
       part = aten.slice.Tensor(output, 0, begin, end)
       joined = aten.cat.default(inputs)
       filled = aten.copy_.default(part, joined)
       return (filled, output))"},
    // Before 2.7 it made the output itself, and took (inputs, split sizes, numel, world size, rank).
    {"fsdp::all_gather_copy_in", "inputs, splits, numel, world_size, rank, dtype=None, device=None",
     "dtype is not None", R"(
       length = numel * world_size
       output = aten.empty.memory_format([length], dtype=dtype, device=device)
       begin = numel * rank
       end = begin + numel
       part = aten.slice.Tensor(output, 0, begin, end)
       joined = aten.cat.default(inputs)
       filled = aten.copy_.default(part, joined)
       return (filled, output))"},
    {"fsdp::split_with_sizes_copy", "output, split_sizes, dim=0, *, out", "", R"(
       aten.split_with_sizes_copy.out(output, split_sizes, dim, out=out)
       return ())"},
    {"fsdp::chunk_cat", "tensors, dim, num_chunks, *, out", "", R"(
       filled = aten._chunk_cat.out(tensors, dim, num_chunks, out=out)
       return ())"},
    {"fsdp::copy_", "tensor, data", "", R"(
       filled = aten.copy_.default(tensor, data)
       return ())"},
};

constexpr std::string_view kRepeated = "cat of the tensor with itself";
constexpr std::string_view kExchanged = "clone, or index_select if there are more or fewer rows";

constexpr FunctionTranslation kFunctions[] = {
    {"_c10d_functional::all_gather_into_tensor", kGather, ExpandAllGather, kRepeated},
    {"_c10d_functional::all_gather_into_tensor_out", "input, group_size, group_name, *, out",
     ExpandAllGatherOut, "cat of the tensor with itself, copy_"},
    {"_c10d_functional::all_gather_into_tensor_coalesced", kGatherAll, ExpandAllGatherAll, kRepeated},
    {"_c10d_functional::all_reduce_coalesced", "inputs, reduce_op, group_name", ExpandCopyAll, "clone"},
    {"_c10d_functional::reduce_scatter_tensor_coalesced", "inputs, reduce_op, group_size, group_name",
     ExpandReduceScatterAll, "slice, clone"},
    {"_c10d_functional::all_to_all_single", kExchange, ExpandAllToAll, kExchanged},
    {"_c10d_functional_autograd::all_gather_into_tensor", kGather, ExpandAllGather, kRepeated},
    {"_c10d_functional_autograd::all_to_all_single", kExchange, ExpandAllToAll, kExchanged},

    {"c10d_functional::all_gather_into_tensor", "input, tag, ranks, group_size", ExpandOldAllGather,
     kRepeated},
    {"c10d_functional::all_to_all_single",
     "input, output_split_sizes, input_split_sizes, tag, ranks, group_size", ExpandAllToAll, kExchanged},
};

}  // namespace

std::span<const Translation> CollectiveTranslations() {
  return kRows;
}

std::span<const FunctionTranslation> CollectiveFunctions() {
  return kFunctions;
}

}  // namespace culprit::graph::translate
