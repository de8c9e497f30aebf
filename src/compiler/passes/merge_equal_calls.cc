// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/merge_equal_calls.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/passes/escaping.h"
#include "graph/ir/rebuild.h"

namespace culprit::compiler::passes {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;

class Merger {
 public:
  Merger(const Graph& source, const std::function<bool()>& applies)
      : source_(source), applies_(applies), escapes_(EscapingValues(source)), rebuild_(source) {}

  Merged Run() {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
    for (const Node& node : source_.nodes()) Visit(node);
    rebuild_.CopyOutputs();
    return {std::move(rebuild_).Take(), std::move(merged_into_)};
  }

 private:
  struct Known {
    std::vector<Argument> arguments;
    std::vector<graph::ValueId> results;
    /// Its result, or that of a call that became this one, reaches the caller.
    bool escapes = false;
  };

  bool Escapes(const Node& node) const {
    return std::ranges::any_of(node.results, [&](graph::ValueId id) { return escapes_[graph::Index(id)]; });
  }

  void Visit(const Node& node) {
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments) arguments.push_back(rebuild_.Map(argument));
    const bool may_go = !node.op->is_random() && !node.op->writes_any() && !node.results.empty();
    std::vector<Known>& known = known_[node.op];
    if (may_go) {
      for (Known& former : known) {
        if (former.arguments != arguments || (Escapes(node) && former.escapes) || !applies_()) continue;
        former.escapes = former.escapes || Escapes(node);
        for (size_t i = 0; i < node.results.size(); ++i) Merge(node.results[i], former.results[i]);
        return;
      }
    }
    rebuild_.CopyNode(node, arguments);
    if (may_go)
      known.push_back({std::move(arguments), rebuild_.graph().nodes().back().results, Escapes(node)});
  }

  void Merge(graph::ValueId gone, graph::ValueId former) {
    merged_into_.emplace(source_.value(gone).name, rebuild_.graph().value(former).name);
    rebuild_.Replace(gone, former);
  }

  const Graph& source_;
  const std::function<bool()>& applies_;
  std::vector<bool> escapes_;
  graph::Rebuild rebuild_;
  std::unordered_map<const graph::Operator*, std::vector<Known>> known_;
  std::map<std::string, std::string> merged_into_;
};

}  // namespace

Merged MergeEqualCalls(const Graph& graph, const std::function<bool()>& applies) {
  return Merger(graph, applies).Run();
}

}  // namespace culprit::compiler::passes
