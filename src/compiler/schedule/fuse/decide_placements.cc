// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/decide_placements.h"

#include <algorithm>

#include "compiler/schedule/fuse/cost.h"

namespace culprit::compiler::schedule {
namespace {

using loops::LoopKind;
using loops::LoopProgram;
using loops::Value;

// What may be computed again for every use.
constexpr int kCheap = 6;
// A body that grows beyond this is cut: what it computes is kept, and loaded from there on.
constexpr int64_t kLargest = 256;

constexpr int kMostMasked = 4;

class Decision {
 public:
  Decision(const LoopProgram& program, const ResolveOptions& options)
      : program_(program),
        options_(options),
        uses_(program.values.size()),
        costs_(program.values.size()),
        is_cut_(program.values.size()) {
    resolved_.placements.assign(program.values.size(), Placement::kUnused);
    resolved_.in_memory.assign(program.values.size(), false);
    resolved_.loops.resize(program.values.size());
    resolved_.inlined.resize(program.values.size());
  }

  Resolved Run() {
    AddUpCosts();
    for (const graph::Argument& output : program_.graph->outputs()) WantInMemory(output);
    // What is drawn and never used is drawn all the same.
    for (const graph::Node& node : program_.graph->nodes())
      if (node.op->is_random())
        for (const graph::ValueId id : node.results) WantInMemory(graph::Argument(id));
    for (size_t i = program_.values.size(); i-- > 0;) {
      if (is_needed(i)) Decide(i);
    }
    return std::move(resolved_);
  }

 private:
  struct Uses {
    int loops = 0;
    bool by_call = false;
    /// Of the loop that goes around most often.
    int64_t iterations = 0;
  };

  bool is_needed(size_t i) const { return resolved_.in_memory[i] || uses_[i].loops > 0 || uses_[i].by_call; }

  // As if everything were put into its users, until that is too much.
  void AddUpCosts() {
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const Value& value = program_.values[i];
      if (!value.loop) continue;
      int64_t cost = CostOf(*value.loop);
      for (const size_t source : SourcesOf(value))
        if (program_.values[source].loop && !is_cut_[source]) cost += costs_[source];
      is_cut_[i] = value.loop->kind != LoopKind::kPointwise || cost > kLargest;
      costs_[i] = static_cast<int>(std::min(cost, 2 * kLargest));
    }
  }

  std::vector<size_t> SourcesOf(const Value& value) const {
    std::vector<size_t> sources;
    for (const loops::Expression& expression : value.loop->body.expressions())
      if (expression.op == loops::Op::kLoad) sources.push_back(static_cast<size_t>(expression.integer));
    return sources;
  }

  void WantInMemory(size_t i) { resolved_.in_memory[i] = true; }
  void WantInMemory(const graph::Argument& argument) {
    ForEachValue(argument, [&](graph::ValueId id) { WantInMemory(Index(program_.value_of[Index(id)])); });
  }

  void Decide(size_t i) {
    const Value& value = program_.values[i];
    resolved_.placements[i] = FateOf(i);
    if (resolved_.placements[i] == Placement::kCalled) {
      for (const graph::Argument& argument : program_.graph->node(*value.node).arguments)
        WantInMemory(argument);
    }
    if (value.is_given() || resolved_.placements[i] == Placement::kCalled) return;
    for (const loops::Precondition& each : value.loop->preconditions)
      WantInMemory(graph::Argument(each.indices));
    const bool is_inlined = resolved_.placements[i] == Placement::kInlined;
    for (const size_t source : SourcesOf(value)) {
      uses_[source].loops += is_inlined ? std::max(uses_[i].loops, 1) : 1;
      uses_[source].iterations =
          std::max(uses_[source].iterations, is_inlined ? uses_[i].iterations : IterationsOf(value));
    }
  }

  Placement FateOf(size_t i) const {
    const Value& value = program_.values[i];
    if (value.is_given()) return Placement::kGiven;
    if (!value.loop || (value.is_view && resolved_.in_memory[i])) return Placement::kCalled;
    if (value.is_view) return Placement::kInlined;
    if (value.node && IsBetterCalled(*value.loop)) return Placement::kCalled;
    if (resolved_.in_memory[i] || value.loop->kind != LoopKind::kPointwise) return Placement::kKept;
    return IsWorthInlining(i) && options_.applies() ? Placement::kInlined : Placement::kKept;
  }

  // A loop over many tensors put together looks at all of them for each element.
  static bool IsBetterCalled(const loops::Loop& loop) {
    const auto is_masked = [](const loops::Expression& expression) { return expression.masked; };
    return std::ranges::count_if(loop.body.expressions(), is_masked) > kMostMasked;
  }

  bool IsWorthInlining(size_t i) const {
    if (costs_[i] <= kCheap) return true;
    if (is_cut_[i] || uses_[i].loops > 1) return false;
    // Read more often than it has elements, as by pooling: computed once.
    return uses_[i].iterations <= IterationsOf(program_.values[i]);
  }

  const LoopProgram& program_;
  const ResolveOptions& options_;
  std::vector<Uses> uses_;
  std::vector<int> costs_;
  std::vector<bool> is_cut_;
  Resolved resolved_;
};

}  // namespace

Resolved DecidePlacements(const LoopProgram& program, const ResolveOptions& options) {
  return Decision(program, options).Run();
}

}  // namespace culprit::compiler::schedule
