// SPDX-License-Identifier: Apache-2.0
#include "autograd/joint/simplify.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "autograd/joint/recompute.h"
#include "graph/analysis/memory_sets.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"
#include "graph/passes/eliminate_dead_code.h"

namespace culprit::autograd {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::Origin;
using graph::Rebuild;
using graph::ValueId;

/// The joint graph after a pass that has left out nodes and kept the names of all others.
Joint WithGraph(const Joint& joint, Graph graph) {
  std::unordered_map<std::string_view, int64_t> bytes;
  for (size_t i = 0; i < joint.bytes.size(); ++i) bytes.emplace(joint.graph.values()[i].name, joint.bytes[i]);

  Joint result{.tangents = joint.tangents, .forward_outputs = joint.forward_outputs};
  std::unordered_set<std::string_view> kept;
  for (const graph::Value& value : graph.values()) {
    result.bytes.push_back(bytes.at(value.name));
    kept.insert(value.name);
  }
  for (size_t i = 0; i < joint.forward_nodes; ++i) {
    const std::vector<ValueId>& results = joint.graph.nodes()[i].results;
    // Passes keep nodes without results.
    if (results.empty() || kept.contains(joint.graph.value(results[0]).name)) ++result.forward_nodes;
  }
  result.graph = std::move(graph);
  return result;
}

/// Memory that a node writes into or that is returned.
class SharedMemory {
 public:
  explicit SharedMemory(const Graph& graph)
      : sets_(graph), written_(WrittenSets(graph, sets_)), returned_(written_.size(), false) {
    for (const Argument& output : graph.outputs())
      ForEachValue(output, [&](ValueId id) { returned_[sets_.SetOf(id)] = true; });
  }

  bool IsWritten(ValueId id) { return written_[sets_.SetOf(id)]; }
  bool IsPrivate(ValueId id) { return !IsWritten(id) && !returned_[sets_.SetOf(id)]; }

 private:
  graph::MemorySets sets_;
  std::vector<bool> written_;
  std::vector<bool> returned_;
};

/// Copies all of the graph but the nodes that `replace` has taken care of.
template <typename Replace>
Joint LeaveOut(const Joint& joint, const char* pass, Replace&& replace) {
  VerifyPass(joint.graph, "before", pass);
  Rebuild rebuild(joint.graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (size_t i = 0; i < joint.graph.nodes().size(); ++i) {
    if (!replace(i, rebuild)) rebuild.CopyNode(joint.graph.nodes()[i]);
  }
  rebuild.CopyOutputs();
  Graph graph = std::move(rebuild).Take();
  VerifyPass(graph, "behind", pass);
  return WithGraph(joint, std::move(graph));
}

class Merger {
 public:
  explicit Merger(const Joint& joint) : joint_(joint), memory_(joint.graph) {}

  /// Lets the results of an equal node before it stand for those of the node, if there is one.
  bool operator()(size_t index, Rebuild& rebuild) {
    const Node& node = joint_.graph.nodes()[index];
    if (!CanBeMerged(node)) return false;
    std::vector<Argument> arguments;
    size_t key = std::hash<const graph::Operator*>()(node.op);
    for (const Argument& argument : node.arguments) {
      arguments.push_back(rebuild.Map(argument));
      ForEachValue(arguments.back(), [&](ValueId id) { key = key * 31 + Index(id); });
    }
    const bool in_forward = index < joint_.forward_nodes;
    const auto [begin, end] = seen_.equal_range(key);
    for (auto it = begin; it != end; ++it) {
      const Node& earlier = rebuild.graph().nodes()[it->second.node];
      if (earlier.op != node.op || earlier.arguments != arguments) continue;
      if (it->second.in_forward != in_forward && !IsNumber(joint_.graph.value(node.results[0]).kind))
        continue;
      for (size_t r = 0; r < node.results.size(); ++r) rebuild.Replace(node.results[r], earlier.results[r]);
      return true;
    }
    seen_.emplace(key, Seen{rebuild.graph().nodes().size(), in_forward});
    return false;
  }

 private:
  struct Seen {
    size_t node = 0;
    bool in_forward = false;
  };

  bool CanBeMerged(const Node& node) {
    const bool known = node.op->is_builtin() || node.op->name().starts_with("aten::");
    if (!known || node.op->is_random() || node.results.empty()) return false;
    bool pure = true;
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { pure = pure && !memory_.IsWritten(id); });
    return pure && std::all_of(node.results.begin(), node.results.end(),
                               [&](ValueId id) { return memory_.IsPrivate(id); });
  }

  const Joint& joint_;
  SharedMemory memory_;
  std::unordered_multimap<size_t, Seen> seen_;
};

constexpr std::array<std::string_view, 3> kSameTensor = {"aten::detach", "aten::alias", "aten::lift_fresh"};

class CopyRemover {
 public:
  explicit CopyRemover(const Joint& joint)
      : graph_(joint.graph), memory_(joint.graph), is_output_(joint.graph.values().size(), false) {
    for (const Argument& output : graph_.outputs())
      ForEachValue(output, [&](ValueId id) { is_output_[Index(id)] = true; });
  }

  bool operator()(size_t index, Rebuild& rebuild) {
    const Node& node = graph_.nodes()[index];
    if (!IsDeadAlias(node) && !IsDeadClone(node)) return false;
    rebuild.Replace(node.results[0], rebuild.Map(node.arguments[0]));
    return true;
  }

 private:
  bool IsDeadAlias(const Node& node) {
    const bool same = std::find(kSameTensor.begin(), kSameTensor.end(), node.op->name()) != kSameTensor.end();
    return same && node.op->overload().empty() && !is_output_[Index(node.results[0])] &&
           !memory_.IsWritten(node.results[0]);
  }

  bool IsDeadClone(const Node& node) {
    if (node.op->qualified_name() != "aten::clone" || !node.arguments[0].is_value()) return false;
    const Argument& format = node.arguments[1];
    const auto preserve = static_cast<int64_t>(at::MemoryFormat::Preserve);
    if (!format.is_none() && !(format == Argument(c10::IValue(preserve)))) return false;
    const ValueId source = node.arguments[0].value();
    return IsDense(source) && memory_.IsPrivate(source) && memory_.IsPrivate(node.results[0]);
  }

  // A clone has other strides than a tensor that overlaps itself or has gaps; pointwise operators make none.
  bool IsDense(ValueId id) const {
    const graph::Value& value = graph_.value(id);
    return value.origin == Origin::kNode && IsCheap(*graph_.nodes()[value.origin_index].op);
  }

  const Graph& graph_;
  SharedMemory memory_;
  std::vector<bool> is_output_;
};

}  // namespace

Joint Simplify(const Joint& joint) {
  return EliminateDeadCode(MergeCommonSubexpressions(RemoveDeadCopies(joint)));
}

Joint EliminateDeadCode(const Joint& joint) {
  return WithGraph(joint, graph::EliminateDeadCode(joint.graph));
}

Joint MergeCommonSubexpressions(const Joint& joint) {
  return LeaveOut(joint, "MergeCommonSubexpressions", Merger(joint));
}

Joint RemoveDeadCopies(const Joint& joint) {
  return LeaveOut(joint, "RemoveDeadCopies", CopyRemover(joint));
}

}  // namespace culprit::autograd
