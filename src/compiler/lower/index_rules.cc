// SPDX-License-Identifier: Apache-2.0
//
// Operators that read at places which a tensor says. Eager throws for a place that is not there; a loop
// cannot throw, and must not read beyond a tensor. So these are loops only if all places are known to be
// there: if they are a constant of the graph, or counted by arange, perhaps seen through views. All others
// are calls.
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>

#include <algorithm>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::ValueIndex;

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
  return op == "aten::clone" || std::ranges::find(rules, op, &Rule::op) != rules.end();
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

/// Whether all numbers of such an argument are places of a dimension of this size.
bool AreBelow(const Call& call, const graph::Argument& indices, int64_t size) {
  if (!indices.is_value()) return false;
  const auto range = RangeOf(call.graph(), indices.value());
  return range && range->lowest >= 0 && range->highest < size;
}

Expr Place(LoopBuilder& loop, ValueIndex indices, const Indices& at) {
  return loop.Load(indices, at).As(Type::Long);
}

bool IsOfPlaces(const loops::Value& indices) {
  return indices.dtype == at::kLong || indices.dtype == at::kInt;
}

bool IndexSelect(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  if (sizes.empty() || call.Described(2).sizes.size() != 1 || !IsOfPlaces(call.Described(2))) return false;
  const size_t dimension = call.Dimension(1, sizes.size());
  if (!AreBelow(call, call.node().arguments[2], sizes[dimension])) return false;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  at[dimension] = Place(loop, call.Tensor(2), {at[dimension]});
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Gather(Call& call) {
  const Sizes& sizes = call.Described(0).sizes;
  if (sizes.empty() || call.Described(2).sizes.size() != sizes.size()) return false;
  const size_t dimension = call.Dimension(1, sizes.size());
  if (!AreBelow(call, call.node().arguments[2], sizes[dimension])) return false;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  at[dimension] = Place(loop, call.Tensor(2), loop.Variables());
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

bool Embedding(Call& call) {
  const Sizes& weight = call.Described(0).sizes;
  if (weight.size() != 2 || !AreBelow(call, call.node().arguments[1], weight[0])) return false;
  LoopBuilder loop = call.LoopOver(0);
  Indices at = loop.Variables();
  const Expr column = at.back();
  at.pop_back();
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), {Place(loop, call.Tensor(1), at), column}));
  return true;
}

/// x[i, j]: the first dimensions are given by tensors, which are broadcast, the rest is taken whole.
bool IndexByTensors(Call& call) {
  const graph::Argument& given = call.node().arguments[1];
  const Sizes& sizes = call.Described(0).sizes;
  if (!given.is_list() || given.list().empty() || given.list().size() > sizes.size()) return false;
  for (size_t i = 0; i < given.list().size(); ++i)
    if (!given.list()[i].is_value() || !AreBelow(call, given.list()[i], sizes[i])) return false;
  const std::vector<ValueIndex> tensors = call.Tensors(1);
  for (const ValueIndex tensor : tensors)
    if (!IsOfPlaces(call[tensor])) return false;
  LoopBuilder loop = call.LoopOver(0);
  const Indices variables = loop.Variables();
  const auto whole = static_cast<std::ptrdiff_t>(sizes.size() - tensors.size());
  const Indices of_tensors(variables.begin(), variables.end() - whole);
  Indices at;
  for (const ValueIndex tensor : tensors) at.push_back(loop.LoadBroadcast(tensor, of_tensors).As(Type::Long));
  at.insert(at.end(), variables.end() - whole, variables.end());
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), at));
  return true;
}

constexpr Rule kRules[] = {
    {"aten::index_select", IndexSelect, "if all places are known"},
    {"aten::gather", Gather, "if all places are known"},
    {"aten::embedding", Embedding, "if all places are known"},
    {"aten::index.Tensor", IndexByTensors, "of first dimensions, if all places are known"},
};

}  // namespace

std::span<const Rule> IndexRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
