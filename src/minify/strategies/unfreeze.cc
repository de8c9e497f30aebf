// SPDX-License-Identifier: Apache-2.0
//
// Parameters, buffers and constants become plain inputs: all of them, then one by one. A failure that stays
// has nothing to do with folding or packing of weights.
#include <fmt/format.h>

#include <algorithm>

#include "graph/ir/rebuild.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;
using graph::PlaceholderKind;

/// Above, only all of them at once.
constexpr size_t kMostOneByOne = 16;

base::Result<Program> Unfreeze(const Subject& subject, const Names& names) {
  const graph::Graph& graph = subject.graph();
  graph::Rebuild rebuild(graph);
  Program program{{}, subject.program().inputs};
  bool changes = false;
  const auto thaws = [&](graph::ValueId id) { return std::ranges::count(names, graph.value(id).name) > 0; };
  for (const graph::Placeholder& placeholder : graph.placeholders()) {
    const bool thawed = placeholder.kind != PlaceholderKind::kInput && thaws(placeholder.value);
    changes = changes || thawed;
    rebuild.CopyPlaceholder(placeholder);
    if (thawed)
      rebuild.graph().SetPlaceholderKind(rebuild.graph().placeholders().size() - 1, PlaceholderKind::kInput);
  }
  for (const graph::TensorConstant& constant : graph.constants()) {
    if (!thaws(constant.value)) {
      rebuild.CopyConstant(constant);
      continue;
    }
    changes = true;
    rebuild.Replace(constant.value, rebuild.graph().AddPlaceholder(graph.value(constant.value).name));
    program.inputs.emplace_back(constant.tensor);
  }
  if (!changes) return base::Diagnostic{{}, "nothing would change"};
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  program.graph = std::move(rebuild).Take();
  return program;
}

std::vector<Edit> EditsOf(const Subject& subject) {
  const graph::Graph& graph = subject.graph();
  Names frozen;
  for (const graph::Placeholder& placeholder : graph.placeholders()) {
    if (placeholder.kind != PlaceholderKind::kInput) frozen.push_back(graph.value(placeholder.value).name);
  }
  for (const graph::TensorConstant& constant : graph.constants())
    frozen.push_back(graph.value(constant.value).name);
  std::vector<Edit> edits;
  if (frozen.size() > 1) {
    edits.push_back({"let all weights and constants be inputs",
                     [frozen](const Subject& now) { return Unfreeze(now, frozen); }});
  }
  if (frozen.size() > kMostOneByOne) return edits;
  for (const std::string& name : frozen) {
    edits.push_back({fmt::format("let {} be an input", name),
                     [name](const Subject& now) { return Unfreeze(now, {name}); }});
  }
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeUnfreeze() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
