// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/translate/expansions.h"

namespace culprit::graph::translate {

namespace {

/// Whether there is a rank with which two of the dimensions (counted from 0 in `front`, from -1 in `back`)
/// are different ones and that from the back stands before that from the front. With smaller ranks some
/// dimension does not exist, with larger ones all of `front` comes first.
bool MayCross(const std::vector<int64_t>& front, const std::vector<int64_t>& back) {
  const int64_t last = *std::max_element(front.begin(), front.end());
  const int64_t first = *std::min_element(back.begin(), back.end());
  constexpr int64_t kHighestRank = 64;
  if (last >= kHighestRank || first < -kHighestRank) return false;
  for (int64_t rank = std::max(last + 1, -first); rank <= last - first; ++rank) {
    const bool twice = std::any_of(front.begin(), front.end(), [&](int64_t dim) {
      return std::find(back.begin(), back.end(), dim - rank) != back.end();
    });
    if (!twice) return true;
  }
  return false;
}

}  // namespace

// (self, dim): one squeeze per dimension. Squeezing renumbers the dimensions on one side, so those counted
// from the front go last to first, those counted from the back first to last. The two do not disturb each
// other as long as all of the former stand before all of the latter.
base::Result<std::vector<Argument>> ExpandSqueezeDims(const WrittenArguments& call, Emitter& emitter) {
  const std::vector<int64_t> dims = CULPRIT_TRY(ConstantInts(call.positional[1], "dim"));
  std::vector<int64_t> front;
  std::vector<int64_t> back;
  for (const int64_t dim : dims) (dim < 0 ? back : front).push_back(dim);
  if (!front.empty() && !back.empty() && MayCross(front, back)) {
    return base::Diagnostic{
        {},
        fmt::format("the order of dimensions [{}] depends on the rank of the tensor, which "
                    "is not known here",
                    fmt::join(dims, ", "))};
  }
  std::sort(front.rbegin(), front.rend());
  std::sort(back.begin(), back.end());

  Argument result = call.positional[0];
  if (dims.empty()) result = CULPRIT_TRY(emitter.EmitOne("aten::alias", {result}));
  for (const std::vector<int64_t>& part : {front, back}) {
    for (const int64_t dim : part) {
      result = CULPRIT_TRY(emitter.EmitOne("aten::squeeze.dim", {result, Constant(dim)}));
    }
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
