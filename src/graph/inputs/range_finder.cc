// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/range_finder.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "graph/analysis/uses.h"
#include "graph/inputs/wanted_ranges.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph::inputs {
namespace {

/// Operators whose result holds elements of their operands and no others.
constexpr std::string_view kOnlyMoves[] = {
    "aten::view",       "aten::_unsafe_view", "aten::reshape",         "aten::expand",    "aten::unsqueeze",
    "aten::squeeze",    "aten::permute",      "aten::transpose",       "aten::t",         "aten::slice",
    "aten::select",     "aten::clone",        "aten::detach",          "aten::alias",     "aten::_to_copy",
    "aten::contiguous", "aten::cat",          "aten::stack",           "aten::split",     "aten::chunk",
    "aten::unbind",     "aten::narrow",       "aten::flatten",         "aten::repeat",    "aten::flip",
    "aten::roll",       "aten::to",           "aten::lift_fresh_copy", "python::getitem", "aten::as_strided",
};

}  // namespace

RangeFinder::RangeFinder(const Graph& graph, int64_t most_bytes)
    : graph_(graph), bytes_left_(most_bytes), roots_(graph.values().size()) {
  const std::vector<bool> used = UsedValues(graph);
  const auto add_root = [&](ValueId value) {
    roots_[Index(value)] = {ranges_.size()};
    ranges_.emplace_back();
    if (!used[Index(value)]) ranges_.back() = InputRange{InputRange::Kind::kUnused};
  };
  for (const Placeholder& placeholder : graph.placeholders()) add_root(placeholder.value);
  for (const TensorConstant& constant : graph.constants()) add_root(constant.value);
}

void RangeFinder::Before(NodeId id, const torch::jit::Stack& arguments) {
  const Node& node = graph_.nodes()[Index(id)];
  FollowMoves(node);
  for (const WantedRange& wanted : WantedRanges(node, arguments)) {
    for (const size_t root : roots_[Index(wanted.value)]) Narrow(ranges_[root], wanted.range);
  }
  Count(arguments);
}

void RangeFinder::After(NodeId /*id*/, const torch::jit::Stack& results) {
  Count(results);
}

FoundRanges RangeFinder::TakeRanges() const {
  const auto constants = ranges_.begin() + static_cast<ptrdiff_t>(graph_.placeholders().size());
  return {.inputs = {ranges_.begin(), constants}, .constants = {constants, ranges_.end()}};
}

void RangeFinder::FollowMoves(const Node& node) {
  if (std::find(std::begin(kOnlyMoves), std::end(kOnlyMoves), node.op->name()) == std::end(kOnlyMoves))
    return;
  std::set<size_t> roots;
  for (const Argument& argument : node.arguments) {
    ForEachValue(argument, [&](ValueId value) {
      roots.insert(roots_[Index(value)].begin(), roots_[Index(value)].end());
    });
  }
  for (const ValueId result : node.results) roots_[Index(result)] = roots;
}

void RangeFinder::Count(const torch::jit::Stack& values) {
  for (const c10::IValue& value : values) {
    if (value.isTensor() && IsPlain(value.toTensor()))
      bytes_left_ -= static_cast<int64_t>(value.toTensor().nbytes());
  }
  if (bytes_left_ < 0) throw std::length_error("the graph is too large to be run for its ranges");
}

}  // namespace culprit::graph::inputs
