// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>

#include "autograd/trace/contiguous_copies.h"
#include "base/internal_error.h"
#include "graph/sizes/expressions/layout.h"
#include "graph/sizes/generalise/disagreement.h"
#include "graph/sizes/generalise/learn_numbers.h"
#include "graph/sizes/worlds/counterexample.h"
#include "graph/sizes/worlds/worlds.h"
#include "graph/tensors/torch_error.h"

namespace culprit::autograd {
namespace {

using graph::sizes::Hints;
using graph::sizes::SizedGraph;

std::vector<std::optional<graph::sizes::Layout>> LayoutsOf(const std::vector<at::Tensor>& tensors) {
  std::vector<std::optional<graph::sizes::Layout>> layouts;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.defined()) {
      layouts.emplace_back(graph::sizes::Layout::Of(tensor.sizes(), tensor.strides()));
    } else {
      layouts.emplace_back();
    }
  }
  return layouts;
}

bool IsSameButForNumbers(const OutputPlan& a, const OutputPlan& b) {
  const auto same = [](const OutputSource& x, const OutputSource& y) {
    return x.kind == y.kind && x.index == y.index && graph::SameConstant(x.constant, y.constant);
  };
  return std::ranges::equal(a.outputs, b.outputs, same) && a.replay == b.replay && a.forward == b.forward &&
         a.is_hidden == b.is_hidden && a.replayed == b.replayed;
}

/// Apart from the graphs.
bool HasSameSurroundings(const Traced& a, const Traced& b) {
  return a.joint.tangents == b.joint.tangents && a.joint.forward_outputs == b.joint.forward_outputs &&
         IsSameButForNumbers(a.plan, b.plan) && a.mutations == b.mutations &&
         a.differentiable == b.differentiable && a.differentiable_views == b.differentiable_views &&
         a.gradients == b.gradients && LayoutsOf(a.tangents) == LayoutsOf(b.tangents);
}

bool IsSameButForNumbers(const Traced& a, const Traced& b) {
  return graph::sizes::IsSameButForNumbers(a.joint.graph, b.joint.graph) &&
         a.joint.forward_nodes == b.joint.forward_nodes && HasSameSurroundings(a, b);
}

class SymbolTracer {
 public:
  SymbolTracer(const graph::Graph& graph, const backend::Values& inputs,
               const std::optional<TangentLayouts>& tangents, GraphSymbols symbols)
      : graph_(graph),
        inputs_(inputs),
        tangents_(tangents),
        symbols_(std::move(symbols)),
        possible_copies_(PossibleCopies(graph)) {}

  Traced Run(std::string& fixed) {
    if (!possible_copies_.empty()) AddCopies(Trace(graph_, inputs_, tangents_));
    std::optional<Traced> traced;
    // Again from the beginning, if something is a copy for other sizes that was none so far.
    for (std::optional<size_t> copies; copies != copies_.size();) {
      copies = copies_.size();
      with_copies_ = WithCopies(graph_, copies_);
      worlds_.clear();
      traced = TryRun(fixed);
    }
    if (!fixed.empty()) return copies_.empty() ? *std::move(traced) : Trace(graph_, inputs_, tangents_);
    traced->copies = copies_;
    return *std::move(traced);
  }

 private:
  struct World {
    Traced traced;
    SizedGraph sized;
  };

  Traced TryRun(std::string& fixed) {
    fixed.clear();
    const auto try_world = [&](const Hints& hints) { return TryWorld(hints); };
    graph::sizes::Chosen chosen = graph::sizes::ChooseWorlds(symbols_.hints, try_world);
    if (!chosen.rigid.empty()) {
      fixed = "it is another graph for other sizes";
      return std::move(worlds_.front().traced);
    }
    graph::sizes::Distinguisher distinguisher;
    graph::sizes::Numbers numbers = NumbersOf(chosen.worlds);
    while (distinguisher.AddWorld(CoincidencesIn(numbers), {}, try_world, chosen.worlds))
      numbers = NumbersOf(chosen.worlds);
    std::vector<const SizedGraph*> graphs;
    for (const World& world : worlds_) graphs.push_back(&world.sized);
    auto generalised =
        graph::sizes::Generalise(graphs, symbols_.places, numbers, graph_.placeholders().size());
    Traced& traced = worlds_.front().traced;
    if (const auto* refused = std::get_if<graph::sizes::Refused>(&generalised)) {
      fixed = refused->node
                  ? fmt::format("{}: {}", traced.joint.graph.node(*refused->node).op->qualified_name(),
                                refused->reason)
                  : refused->reason;
    } else {
      TakeOver(std::get<graph::sizes::Generalised>(std::move(generalised)), traced.joint);
    }
    return std::move(traced);
  }

  /// The first one is what everybody gets, so what it throws comes out.
  bool TryWorld(const Hints& hints) {
    if (worlds_.empty()) return Keep(Trace(with_copies_, inputs_, tangents_));
    try {
      Traced traced = Trace(with_copies_, WithSizes(inputs_, symbols_, hints), tangents_);
      AddCopies(traced);
      return IsSameButForNumbers(worlds_.front().traced, traced) &&
             graph::sizes::HasSameRanks(worlds_.front().sized.sizes, traced.joint.sizes) &&
             Keep(std::move(traced));
    } catch (const base::InternalError&) {
      throw;
    } catch (const std::exception&) {
      return false;
    }
  }

  void AddCopies(const Traced& traced) {
    std::ranges::set_intersection(traced.copies, possible_copies_, std::inserter(copies_, copies_.end()));
  }

  graph::sizes::Numbers NumbersOf(const std::vector<Hints>& worlds) const {
    graph::sizes::Numbers numbers(worlds);
    LearnNumbers(graph_, symbols_.places, numbers);
    return numbers;
  }

  static std::vector<graph::sizes::Condition> CoincidencesIn(graph::sizes::Numbers& numbers) {
    std::vector<graph::sizes::Condition> coincidences;
    for (const auto& each : numbers.TakeCoincidences())
      coincidences.push_back(Equality(each.computed, each.taken));
    return coincidences;
  }

  bool Keep(Traced traced) {
    SizedGraph sized{traced.joint.graph, traced.joint.sizes};
    worlds_.push_back({std::move(traced), std::move(sized)});
    return true;
  }

  static void TakeOver(graph::sizes::Generalised generalised, Joint& joint) {
    const std::vector<int64_t> bytes = std::move(joint.bytes);
    joint.bytes.assign(generalised.graph.values().size(), 0);
    for (size_t i = 0; i < bytes.size(); ++i) joint.bytes[Index(generalised.values[i])] = bytes[i];
    joint.forward_nodes = joint.forward_nodes < generalised.nodes.size()
                              ? Index(generalised.nodes[joint.forward_nodes])
                              : generalised.graph.nodes().size();
    joint.graph = std::move(generalised.graph);
    joint.sizes.clear();
  }

  const graph::Graph& graph_;
  const backend::Values& inputs_;
  const std::optional<TangentLayouts>& tangents_;
  const GraphSymbols symbols_;
  const std::set<graph::NodeId> possible_copies_;
  /// What is a copy in some world, and the graph in which it is one in all.
  std::set<graph::NodeId> copies_;
  graph::Graph with_copies_;
  /// Where they are must not change.
  std::deque<World> worlds_;
};

}  // namespace

std::string CompareTrace(const graph::Graph& graph, const backend::Values& inputs,
                         const std::optional<TangentLayouts>& tangents, const Traced& general) {
  const Traced traced = Trace(WithCopies(graph, general.copies), inputs, tangents);
  if (!HasSameSurroundings(general, traced)) return "its outputs lie otherwise";
  const auto different =
      graph::sizes::CompareAt(general.joint.graph, inputs, {traced.joint.graph, traced.joint.sizes});
  if (!different) return "";
  if (!different->node) return different->what;
  return fmt::format("{}: {}", traced.joint.graph.node(*different->node).op->qualified_name(),
                     different->what);
}

Traced TraceSymbols(const graph::Graph& graph, const backend::Values& inputs,
                    const std::optional<TangentLayouts>& tangents, std::string& fixed) {
  GraphSymbols symbols = SymbolsOf(graph, inputs);
  fixed = symbols.fixed;
  if (symbols.hints.empty() || !fixed.empty()) return Trace(graph, inputs, tangents);
  return SymbolTracer(graph, inputs, tangents, std::move(symbols)).Run(fixed);
}

}  // namespace culprit::autograd
