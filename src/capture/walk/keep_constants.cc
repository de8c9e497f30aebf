// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/keep_constants.h"

#include <algorithm>

#include "graph/analysis/memory_sets.h"
#include "graph/ir/rebuild.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using Found = std::vector<const IValue*>;

void Freeze(Guard& guard, const at::Tensor& tensor) {
  guard.expected = FrozenTensor{tensor, static_cast<uint32_t>(tensor._version())};
}

/// Sets of memory that the graph writes into or returns.
std::vector<bool> VisibleSets(const graph::Graph& graph, graph::MemorySets& sets) {
  std::vector<bool> visible = WrittenSets(graph, sets);
  for (const graph::Argument& output : graph.outputs())
    graph::ForEachValue(output, [&](graph::ValueId value) { visible[sets.SetOf(value)] = true; });
  return visible;
}

bool SharesMemory(const IValue& a, const IValue& b) {
  return b.isTensor() && b.toTensor().defined() && b.toTensor().has_storage() &&
         a.toTensor().is_alias_of(b.toTensor());
}

/// By placeholder.
std::vector<bool> ConstantPlaceholders(const Segment& segment, const Found& found) {
  graph::MemorySets sets(segment.graph);
  const std::vector<bool> visible = VisibleSets(segment.graph, sets);
  std::vector<bool> constant;
  for (size_t i = 0; i < segment.inputs.size(); ++i) {
    const Guard& guard = segment.guards[Index(segment.inputs[i])];
    const IValue& value = *found[Index(segment.inputs[i])];
    const bool is_plain = guard.source.kind == SourceKind::kConstant && value.isTensor() &&
                          !value.toTensor().is_inference() && !value.toTensor().requires_grad();
    constant.push_back(is_plain && !visible[sets.SetOf(segment.graph.placeholders()[i].value)] &&
                       std::ranges::count_if(segment.inputs, [&](SourceId other) {
                         return SharesMemory(value, *found[Index(other)]);
                       }) == 1);
  }
  return constant;
}

}  // namespace

void KeepConstants(const vm::State& start, const CaptureEffects& effects, Segment& segment,
                   std::vector<std::vector<int64_t>>& sizes) {
  const Found found = FindAll(segment, start);
  for (const at::Tensor& fake : effects.used_constants()) {
    const size_t source = Index(*effects.shadow().SourceOf(fake));
    Freeze(segment.guards[source], found[source]->toTensor());
  }
  const std::vector<bool> constant = ConstantPlaceholders(segment, found);
  if (std::ranges::none_of(constant, std::identity())) return;
  const graph::Graph& graph = segment.graph;
  graph::Rebuild rebuild(graph);
  std::vector<SourceId> inputs;
  for (size_t i = 0; i < constant.size(); ++i) {
    if (constant[i]) continue;
    inputs.push_back(segment.inputs[i]);
    rebuild.CopyPlaceholder(graph.placeholders()[i]);
  }
  rebuild.CopyConstants();
  for (size_t i = 0; i < constant.size(); ++i) {
    if (!constant[i]) continue;
    const graph::ValueId value = graph.placeholders()[i].value;
    const size_t source = Index(segment.inputs[i]);
    const at::Tensor& tensor = found[source]->toTensor();
    rebuild.Replace(value, rebuild.graph().AddConstant(graph.value(value).name, tensor));
    Freeze(segment.guards[source], tensor);
  }
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  std::vector<std::vector<int64_t>> moved(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    moved[Index(rebuild.Map(graph::Argument(graph::ValueId(i))).value())] = std::move(sizes[i]);
  sizes = std::move(moved);
  segment.inputs = std::move(inputs);
  segment.graph = std::move(rebuild).Take();
}

}  // namespace culprit::capture
