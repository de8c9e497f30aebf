// SPDX-License-Identifier: Apache-2.0
#include "check/noise/move_at_use.h"

#include <map>
#include <utility>

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
    for (const graph::TensorConstant& constant : graph_.constants())
      Of(constant.value) = Movement::kFractions;
    for (const Node& node : graph_.nodes()) {
      if (IsSpecified(node) || MayBeWrittenThrough(node)) {
        Pass(node);
      } else {
        CopyArguments(node, /*only_complex=*/IsSpecifiedOfReals(node));
      }
      movable_.copies.resize(rebuild_.graph().nodes().size());
    }
    rebuild_.CopyOutputs();
    movable_.graph = std::move(rebuild_).Take();
    return std::move(movable_);
  }

 private:
  Movement& Of(ValueId id) { return movements_[graph::Index(id)]; }

  /// Of what is made of the operands.
  Movement MovementOf(const Node& node) {
    Movement movement = Movement::kNone;
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { movement = std::max(movement, Of(id)); });
    return movement == Movement::kAll && !OnlyMoves(node) ? Movement::kFractions : movement;
  }

  /// A view of an input is as an input.
  static bool OnlyMoves(const Node& node) {
    if (node.op->writes_any()) return false;
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (MayShare(node, i)) return true;
    }
    return false;
  }

  /// A result shares memory with this argument.
  static bool MayShare(const Node& node, size_t argument) {
    for (size_t i = 0; i < node.results.size(); ++i) {
      if (node.op->may_alias(i, argument)) return true;
    }
    return false;
  }

  /// Its result may be an operand itself, as that of dropout in evaluation, and somebody writes into it.
  bool MayBeWrittenThrough(const Node& node) {
    bool may_be = false;
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (graph::WritesInto(node, i) || !MayShare(node, i)) continue;
      ForEachValue(node.arguments[i], [&](ValueId id) { may_be |= written_[sets_.SetOf(id)]; });
    }
    return may_be;
  }

  void Pass(const Node& node) {
    SetResults(node, MovementOf(node));
    rebuild_.CopyNode(node);
  }

  void CopyArguments(const Node& node, bool only_complex) {
    std::vector<Argument> arguments;
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      const bool is_written = graph::WritesInto(node, i);
      arguments.push_back(graph::MapValues(node.arguments[i], [&](ValueId id) {
        return is_written ? rebuild_.Map(id) : Copied(id, only_complex);
      }));
    }
    SetResults(node, only_complex ? MovementOf(node) : Movement::kNone);
    rebuild_.CopyNode(node, std::move(arguments));
  }

  /// What was written into an input was computed.
  void SetResults(const Node& node, Movement movement) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (!graph::WritesInto(node, i)) continue;
      ForEachValue(node.arguments[i], [&](ValueId id) {
        if (std::max(Of(id), movement) != Movement::kNone) Of(id) = Movement::kFractions;
      });
    }
    for (const ValueId result : node.results) Of(result) = movement;
  }

  /// Made once, unless somebody writes into it between two uses.
  Argument Copied(ValueId id, bool only_complex) {
    if (Of(id) == Movement::kNone || graph_.value(id).kind != graph::ValueKind::kTensor)
      return rebuild_.Map(id);
    if (const auto found = copies_.find({id, only_complex}); found != copies_.end()) return found->second;
    const ValueId copy = rebuild_.graph()
                             .AddNode(graph::Operator::Get("aten::clone"), {rebuild_.Map(id), Argument()},
                                      {names_.Derive(graph_.value(id).name)})
                             .results[0];
    movable_.copies.resize(rebuild_.graph().nodes().size());
    movable_.copies.back() = {Of(id), only_complex};
    if (!written_[sets_.SetOf(id)]) copies_.emplace(std::pair(id, only_complex), copy);
    return copy;
  }

  const graph::Graph& graph_;
  graph::Rebuild rebuild_;
  graph::FreshNames names_;
  graph::MemorySets sets_;
  std::vector<bool> written_;
  std::vector<Movement> movements_;
  // Which of them, and whether only_complex.
  std::map<std::pair<ValueId, bool>, ValueId> copies_;
  MovableGraph movable_;
};

}  // namespace

MovableGraph CopyWhereMoved(const graph::Graph& graph) {
  MovableGraph movable = Copier(graph).Run();
  graph::VerifyPass(movable.graph, "behind", "CopyWhereMoved");
  return movable;
}

}  // namespace culprit::check
