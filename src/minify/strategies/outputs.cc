// SPDX-License-Identifier: Apache-2.0
//
// Fewer outputs: just one of them, those that nothing else uses first, since a tensor that is shown to the
// outside is one that a compiler cannot fuse away; then each one less. What nothing needs any more goes with
// them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/analysis/uses.h"
#include "minify/rewrite/replace_leaves.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;

/// One per output: the name of the value; where a value is returned again, with a number behind it.
Names NamesOf(const graph::Graph& graph) {
  Names names;
  std::map<std::string, int> seen;
  for (const graph::Argument& output : graph.outputs()) {
    const std::string name = output.is_value() ? graph.value(output.value()).name : "";
    const int times = ++seen[name];
    names.push_back(times == 1 ? name : fmt::format("{}#{}", name, times));
  }
  return names;
}

base::Result<Program> KeepOutputs(const Subject& subject,
                                  const std::function<bool(const std::string&)>& keeps) {
  graph::Graph graph = subject.graph();
  std::vector<graph::Argument> kept;
  const Names names = NamesOf(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    if (keeps(names[i])) kept.push_back(graph.outputs()[i]);
  }
  if (kept.empty() || kept.size() == graph.outputs().size())
    return base::Diagnostic{{}, "nothing would change"};
  graph.SetOutputs(std::move(kept));
  return WithoutUnused({std::move(graph), subject.program().inputs});
}

Edit Only(const std::string& name) {
  return {fmt::format("keep only the output {}", name), [name](const Subject& subject) {
            return KeepOutputs(subject, [&](const std::string& other) { return other == name; });
          }};
}

Edit Without(const std::string& name) {
  return {fmt::format("drop the output {}", name), [name](const Subject& subject) {
            return KeepOutputs(subject, [&](const std::string& other) { return other != name; });
          }};
}

std::vector<Edit> EditsOf(const Subject& subject) {
  const graph::Graph& graph = subject.graph();
  if (graph.outputs().size() < 2) return {};
  const std::vector<bool> used = graph::UsedByNodes(graph);
  Names sinks;
  Names others;
  const Names names = NamesOf(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    const graph::Argument& output = graph.outputs()[i];
    const bool is_sink = output.is_value() && !used[Index(output.value())];
    (is_sink ? sinks : others).push_back(names[i]);
  }
  std::ranges::reverse(sinks);
  std::vector<Edit> edits;
  for (const Names& kept : {sinks, others}) std::ranges::transform(kept, std::back_inserter(edits), Only);
  for (const Names& left : {others, sinks}) std::ranges::transform(left, std::back_inserter(edits), Without);
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeOutputs() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
