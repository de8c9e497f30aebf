// SPDX-License-Identifier: Apache-2.0
//
// A constant in the place of an operator that computes with nothing but constants, parameters and buffers:
// what a compiler that folds would do. Dropping it (drop.cc) makes its result an input, and then there is
// nothing left to be folded or packed.
//
//   w = mul(weight, scale); c = convolution(x, w)   =>   c = convolution(x, w) with a constant w
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "graph/ir/rebuild.h"
#include "graph/tensors/tensor_copy.h"
#include "minify/rewrite/replace_leaves.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::NodeId;
using graph::ValueId;

/// Its result as it was recorded; undefined if it cannot be a constant.
at::Tensor ResultOf(const Subject& subject, const graph::Node& node) {
  if (node.results.size() != 1 || node.op->writes_any() || node.op->is_random()) return {};
  const graph::RecordedValue& value = subject.recording().value(node.results[0]);
  if (value.is_list || value.items.size() != 1 || !value.items[0].object) return {};
  const at::Tensor tensor = subject.recording().TensorAt(*value.items[0].object, value.since);
  return tensor.defined() && graph::IsPlain(tensor) ? tensor : at::Tensor();
}

/// In program order: what computes with nothing but what is frozen.
std::vector<NodeId> FoldableNodes(const Subject& subject) {
  const graph::Graph& graph = subject.graph();
  std::unordered_set<uint32_t> frozen;
  for (const graph::Placeholder& placeholder : graph.placeholders()) {
    if (placeholder.kind != graph::PlaceholderKind::kInput) frozen.insert(Index(placeholder.value));
  }
  for (const graph::TensorConstant& constant : graph.constants()) frozen.insert(Index(constant.value));
  std::vector<NodeId> foldable;
  for (uint32_t i = 0; i < subject.operators(); ++i) {
    const graph::Node& node = graph.node(NodeId(i));
    size_t operands = 0;
    bool all_frozen = true;
    for (const graph::Argument& argument : node.arguments) {
      ForEachValue(argument, [&](ValueId id) {
        ++operands;
        all_frozen = all_frozen && frozen.contains(Index(id));
      });
    }
    if (operands == 0 || !all_frozen || !ResultOf(subject, node).defined()) continue;
    frozen.insert(Index(node.results[0]));
    foldable.push_back(NodeId(i));
  }
  return foldable;
}

base::Result<Program> Fold(const Subject& subject, const std::vector<std::string>& names) {
  const graph::Graph& graph = subject.graph();
  const std::vector<NodeId> named = subject.Find(names);
  std::vector<NodeId> folded;
  std::ranges::set_intersection(named, FoldableNodes(subject), std::back_inserter(folded));
  if (folded.empty()) return base::Diagnostic{{}, "nothing would change"};
  graph::Rebuild rebuild(graph);
  graph::TensorCopies copies;
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (uint32_t i = 0; i < subject.operators(); ++i) {
    const graph::Node& node = graph.node(NodeId(i));
    if (!std::ranges::binary_search(folded, NodeId(i))) {
      rebuild.CopyNode(node);
      continue;
    }
    rebuild.Replace(node.results[0], rebuild.graph().AddConstant(graph.value(node.results[0]).name,
                                                                 copies.Copy(ResultOf(subject, node))));
  }
  rebuild.CopyOutputs();
  return IfItStillRuns(WithoutUnused({std::move(rebuild).Take(), subject.program().inputs}));
}

std::vector<Edit> EditsOf(const Subject& subject) {
  std::vector<std::string> names;
  for (const NodeId node : FoldableNodes(subject)) names.push_back(subject.NameOf(node));
  std::vector<Edit> edits;
  if (names.size() > 1) {
    edits.push_back({"fold all constants", [names](const Subject& now) { return Fold(now, names); }});
  }
  for (const std::string& name : names) {
    edits.push_back({fmt::format("fold {}", name), [name](const Subject& now) { return Fold(now, {name}); }});
  }
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeFold() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
