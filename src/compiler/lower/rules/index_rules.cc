// SPDX-License-Identifier: Apache-2.0
//
// Operators that read at places which a tensor says. Eager throws for a place that is not there; a loop
// cannot throw, and must not read beyond a tensor. So these loops rely on all places being there
// (loops::Precondition), unless that is known: if they are a constant of the graph, or counted by arange,
// perhaps seen through views.
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>

#include <algorithm>

#include "compiler/lower/patterns/reshape.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

struct Range {
  int64_t lowest = 0;
  int64_t highest = -1;
};

/// Of a tensor that holds numbers, which are read.
std::optional<Range> RangeOf(const at::Tensor& numbers) {
  if (numbers.numel() == 0) return Range{};
  return Range{at::min(numbers).item<int64_t>(), at::max(numbers).item<int64_t>()};
}

std::optional<Range> RangeOfArange(const graph::Node& node) {
  const auto number = [&](size_t i) -> std::optional<int64_t> {
    const graph::Argument& argument = node.arguments[i];
    if (!argument.is_constant() || !argument.constant().isInt()) return std::nullopt;
    return argument.constant().toInt();
  };
  if (node.op->qualified_name() == "aten::arange") {
    const auto end = number(0);
    return end ? std::optional(Range{0, *end - 1}) : std::nullopt;
  }
  const auto start = number(0);
  const auto end = number(1);
  const bool counts_up = node.op->qualified_name() == "aten::arange.start";
  return counts_up && start && end ? std::optional(Range{*start, *end - 1}) : std::nullopt;
}

/// What shows the elements of its first operand and no others.
bool ShowsOperand(std::string_view op) {
  const auto rules = ViewRules();
  return op == "aten::clone" || std::ranges::find(rules, op, &LoweringRule::op) != rules.end();
}

std::optional<Range> RangeOf(const graph::Graph& graph, graph::ValueId id) {
  const graph::Value& value = graph.value(id);
  if (value.origin == graph::Origin::kConstant) return RangeOf(graph.constants()[value.origin_index].tensor);
  if (value.origin != graph::Origin::kNode) return std::nullopt;
  const graph::Node& node = graph.nodes()[value.origin_index];
  if (node.op->name() == "aten::arange") return RangeOfArange(node);
  if (!ShowsOperand(node.op->qualified_name()) || !node.arguments[0].is_value()) return std::nullopt;
  return RangeOf(graph, node.arguments[0].value());
}

enum class Negative : uint8_t { kFail, kCountFromTheEnd };

bool IsOfPlaces(const loops::Value& indices) {
  return indices.dtype == at::kLong || indices.dtype == at::kInt;
}

/// Where a loop reads along `size` elements: what a tensor says at these indices.
Expr Place(const Call& call, LoopBuilder& loop, const graph::Argument& indices, int64_t size,
           Negative negative, const Indices& at) {
  const bool may_wrap = negative == Negative::kCountFromTheEnd;
  const int64_t lowest = may_wrap ? -size : 0;
  const auto known = RangeOf(call.graph(), indices.value());
  if (!known || known->lowest < lowest || known->highest >= size)
    loop.RelyOn({.node = call.id(), .indices = indices.value(), .lowest = lowest, .end = size});
  const Expr place = loop.LoadBroadcast(call.Tensor(indices), at).As(Type::Long);
  if (!may_wrap || (known && known->lowest >= 0)) return place;
  constexpr double kBitOfSign = 63;
  const Expr all_bits_if_negative = Apply(Op::kShiftRight, place, place.Like(kBitOfSign));
  return place + Apply(Op::kAnd, all_bits_if_negative, loop.Extent(size));
}

/// Where there is nothing to read, libtorch is not of one mind about places. And a call that is to fail needs
/// its numbers.
bool CanBeLowered(const Call& call) {
  bool are_tensors = true;
  for (const graph::Argument& argument : call.node().arguments)
    ForEachValue(argument, [&](graph::ValueId id) {
      are_tensors = are_tensors && call.graph().value(id).kind == graph::ValueKind::kTensor;
    });
  return are_tensors && Product(call.Described(0).sizes) > 0 && Product(call.Result().sizes) > 0;
}

bool IndexSelect(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  if (sizes.empty() || !CanBeLowered(call) || !IsOfPlaces(call.Described(2))) return false;
  const size_t dimension = call.Dimension(1, sizes.size());
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  at[dimension] =
      Place(call, loop, call.node().arguments[2], sizes[dimension], Negative::kFail, {at[dimension]});
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Gather(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  if (sizes.empty() || call.Described(2).sizes.size() != sizes.size() || !CanBeLowered(call)) return false;
  const size_t dimension = call.Dimension(1, sizes.size());
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  at[dimension] =
      Place(call, loop, call.node().arguments[2], sizes[dimension], Negative::kFail, loop.Variables());
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Embedding(Call& call) {
  const Sizes& weight = call.Described(0).sizes;
  if (weight.size() != 2 || !CanBeLowered(call)) return false;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  const Expr column = at.back();
  at.pop_back();
  const Expr row = Place(call, loop, call.node().arguments[1], weight[0], Negative::kFail, at);
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), {row, column}));
  return true;
}

/// As if the tensor had one dimension.
bool Take(Call& call) {
  if (!CanBeLowered(call)) return false;
  const Sizes& sizes = call.Described(0).sizes;
  const int64_t count = Product(sizes);
  LoopBuilder loop = call.LoopOver(0);
  const Expr place =
      Place(call, loop, call.node().arguments[1], count, Negative::kCountFromTheEnd, loop.Variables());
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), ReshapedIndices(loop, {count}, {place}, sizes)));
  return true;
}

/// The dimensions of x in x[:, i, j] that tensors of places say; nothing if a mask says one, or none does.
std::optional<std::vector<size_t>> DimensionsByTensors(const Call& call) {
  const graph::Argument& given = call.node().arguments[1];
  if (!given.is_list() || given.list().size() > call.Described(0).sizes.size()) return std::nullopt;
  std::vector<size_t> dimensions;
  for (size_t d = 0; d < given.list().size(); ++d) {
    const graph::Argument& indices = given.list()[d];
    if (indices.is_none()) continue;
    if (!call.IsTensor(indices) || !IsOfPlaces(call[call.Tensor(indices)])) return std::nullopt;
    dimensions.push_back(d);
  }
  return dimensions.empty() ? std::nullopt : std::optional(std::move(dimensions));
}

/// x[:, i, j]: tensors, which are broadcast, say some dimensions, the others are taken whole. What is
/// broadcast stands where the first of them stood; if others are between them, in front of all.
bool IndexByTensors(Call& call) {
  const auto by_tensors = DimensionsByTensors(call);
  if (!by_tensors || !CanBeLowered(call)) return false;
  const Sizes& sizes = call.Described(0).sizes;
  LoopBuilder loop = call.LoopOver(0);
  Indices others = loop.Variables();
  const bool are_neighbours = by_tensors->back() - by_tensors->front() + 1 == by_tensors->size();
  const auto begin = others.begin() + static_cast<std::ptrdiff_t>(are_neighbours ? by_tensors->front() : 0);
  const auto end = begin + static_cast<std::ptrdiff_t>(others.size() + by_tensors->size() - sizes.size());
  const Indices of_tensors(begin, end);
  others.erase(begin, end);
  Indices at;
  for (size_t d = 0, other = 0; d < sizes.size(); ++d) {
    const bool is_whole = std::ranges::find(*by_tensors, d) == by_tensors->end();
    at.push_back(is_whole ? others[other++]
                          : Place(call, loop, call.node().arguments[1].list()[d], sizes[d],
                                  Negative::kCountFromTheEnd, of_tensors));
  }
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::index_select", IndexSelect, ""},
    {"aten::gather", Gather, ""},
    {"aten::embedding", Embedding, ""},
    {"aten::take", Take, ""},
    {"aten::index.Tensor", IndexByTensors, "by places, not by masks"},
};

}  // namespace

std::span<const LoweringRule> IndexRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
