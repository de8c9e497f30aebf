// SPDX-License-Identifier: Apache-2.0
#include "check/noise/move_at_use.h"

#include <map>

#include "check/noise/exactness.h"
#include "graph/analysis/memory_sets.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::check {
namespace {

using graph::Argument;
using graph::Node;
using graph::ValueId;

class Copier {
 public:
  explicit Copier(const graph::Graph& graph)
      : graph_(graph),
        rebuild_(graph),
        names_(graph),
        sets_(graph),
        written_(graph::WrittenSets(graph, sets_)),
        movements_(graph.values().size(), Movement::kNone) {}

  MovableGraph Run() {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
    for (const graph::Placeholder& placeholder : graph_.placeholders())
      Of(placeholder.value) = Movement::kAll;
    for (const Node& node : graph_.nodes()) {
      IsSpecified(node) ? Pass(node) : CopyArguments(node);
      movable_.movements.resize(rebuild_.graph().nodes().size(), Movement::kNone);
    }
    rebuild_.CopyOutputs();
    movable_.graph = std::move(rebuild_).Take();
    return std::move(movable_);
  }

 private:
  Movement& Of(ValueId id) { return movements_[graph::Index(id)]; }

  /// Its results are to be moved if some operand is.
  void Pass(const Node& node) {
    Movement movement = Movement::kNone;
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { movement = std::max(movement, Of(id)); });
    const bool only_moves = movement == Movement::kAll && OnlyMoves(node);
    if (movement != Movement::kNone && !only_moves) movement = Movement::kFractions;
    for (const ValueId result : node.results) Of(result) = movement;
    rebuild_.CopyNode(node);
  }

  /// A view of an input is as an input.
  static bool OnlyMoves(const Node& node) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (node.op->may_alias(0, i)) return !node.op->writes_any();
    }
    return false;
  }

  void CopyArguments(const Node& node) {
    std::vector<Argument> arguments;
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      const bool is_written = graph::WritesInto(node, i);
      arguments.push_back(graph::MapValues(
          node.arguments[i], [&](ValueId id) { return is_written ? rebuild_.Map(id) : Copied(id); }));
    }
    rebuild_.CopyNode(node, std::move(arguments));
  }

  /// Made once, unless somebody writes into it between two uses.
  Argument Copied(ValueId id) {
    if (Of(id) == Movement::kNone || graph_.value(id).kind != graph::ValueKind::kTensor)
      return rebuild_.Map(id);
    if (const auto found = copies_.find(id); found != copies_.end()) return found->second;
    const ValueId copy = rebuild_.graph()
                             .AddNode(graph::Operator::Get("aten::clone"), {rebuild_.Map(id), Argument()},
                                      {names_.Derive(graph_.value(id).name)})
                             .results[0];
    movable_.movements.resize(rebuild_.graph().nodes().size(), Movement::kNone);
    movable_.movements.back() = Of(id);
    if (!written_[sets_.SetOf(id)]) copies_.emplace(id, copy);
    return copy;
  }

  const graph::Graph& graph_;
  graph::Rebuild rebuild_;
  graph::FreshNames names_;
  graph::MemorySets sets_;
  std::vector<bool> written_;
  std::vector<Movement> movements_;
  std::map<ValueId, ValueId> copies_;
  MovableGraph movable_;
};

}  // namespace

MovableGraph CopyWhereMoved(const graph::Graph& graph) {
  MovableGraph movable = Copier(graph).Run();
  graph::VerifyPass(movable.graph, "behind", "CopyWhereMoved");
  return movable;
}

}  // namespace culprit::check
