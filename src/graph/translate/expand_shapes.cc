// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "graph/translate/expansions.h"

namespace culprit::graph::translate {

// (self, dim): one squeeze per dimension. Squeezing shifts the dimensions behind it, so those counted from
// the front go last to first, those counted from the back first to last.
base::Result<std::vector<Argument>> ExpandSqueezeDims(const WrittenArguments& call, Emitter& emitter) {
  std::vector<int64_t> dims = CULPRIT_TRY(ConstantInts(call.positional[1], "dim"));
  const auto from_back = [](int64_t dim) { return dim < 0; };
  const bool all_from_back = std::all_of(dims.begin(), dims.end(), from_back);
  if (!all_from_back && std::any_of(dims.begin(), dims.end(), from_back)) {
    return base::Diagnostic{
        {}, fmt::format("dimensions [{}] mix front and back, which is not supported", fmt::join(dims, ", "))};
  }
  std::sort(dims.begin(), dims.end());
  if (!all_from_back) std::reverse(dims.begin(), dims.end());

  Argument result = call.positional[0];
  if (dims.empty()) result = CULPRIT_TRY(emitter.EmitOne("aten::alias", {result}));
  for (const int64_t dim : dims) {
    result = CULPRIT_TRY(emitter.EmitOne("aten::squeeze.dim", {result, Constant(dim)}));
  }
  return std::vector<Argument>{result};
}

// (size, physical_layout, dtype, layout, device, pin_memory): a contiguous tensor in the order of memory,
// then the inverse permutation.
base::Result<std::vector<Argument>> ExpandEmptyPermuted(const WrittenArguments& call, Emitter& emitter) {
  const std::vector<int64_t> order = CULPRIT_TRY(ConstantInts(call.positional[1], "physical_layout"));
  if (!call.positional[0].is_list() || call.positional[0].list().size() != order.size()) {
    return base::Diagnostic{{}, "arguments 'size' and 'physical_layout' must be lists of the same length"};
  }
  const Argument::List& size = call.positional[0].list();
  Argument::List size_in_memory;
  std::vector<int64_t> inverse(order.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= static_cast<int64_t>(order.size()) || inverse[order[i]] != -1) {
      return base::Diagnostic{{}, fmt::format("[{}] is not a permutation", fmt::join(order, ", "))};
    }
    size_in_memory.push_back(size[order[i]]);
    inverse[order[i]] = static_cast<int64_t>(i);
  }
  const Argument memory = CULPRIT_TRY(emitter.EmitOne("aten::empty.memory_format", {Argument(size_in_memory)},
                                                      {{"dtype", call.positional[2]},
                                                       {"layout", call.positional[3]},
                                                       {"device", call.positional[4]},
                                                       {"pin_memory", call.positional[5]}}));
  return std::vector<Argument>{
      CULPRIT_TRY(emitter.EmitOne("aten::permute", {memory, Argument::Ints(inverse)}))};
}

// (a, shape, broadcast_dimensions): dimension i of `a` becomes broadcast_dimensions[i] of the result.
base::Result<std::vector<Argument>> ExpandBroadcastInDim(const WrittenArguments& call, Emitter& emitter) {
  if (!call.positional[1].is_list()) return base::Diagnostic{{}, "argument 'shape' must be a list"};
  const std::vector<int64_t> kept = CULPRIT_TRY(ConstantInts(call.positional[2], "broadcast_dimensions"));
  const auto rank = static_cast<int64_t>(call.positional[1].list().size());
  Argument result = call.positional[0];
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::find(kept.begin(), kept.end(), dim) != kept.end()) continue;
    result = CULPRIT_TRY(emitter.EmitOne("aten::unsqueeze", {result, Constant(dim)}));
  }
  return std::vector<Argument>{CULPRIT_TRY(emitter.EmitOne("aten::expand", {result, call.positional[1]}))};
}

}  // namespace culprit::graph::translate
