// SPDX-License-Identifier: Apache-2.0
//
// The backward graphs that belong to one forward graph. What a backward pass computes depends on which
// gradients come in, how they lie in memory, and which are wanted of it, all of which is known when it runs:
// each case is traced and compiled when it is first met.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "autograd/partition/lower.h"
#include "autograd/runtime/lower_compiler.h"
#include "autograd/trace/graph_symbols.h"
#include "autograd/trace/trace_modes.h"
#include "graph/sizes/generalise/verdicts.h"

namespace culprit::autograd {

using Tangents = std::vector<at::Tensor>;

class Backwards {
 public:
  /// `inputs` are fakes.
  Backwards(graph::Graph graph, backend::Values inputs, TraceModes modes, Lowered lowered,
            std::shared_ptr<LowerCompiler> compiler);

  const std::vector<SavedValue>& saved() const { return lowered_.partition.saved; }
  const std::string& name() const { return lowered_.partition.backward.name(); }

  /// The input of each gradient that the first trace has found; other cases have no more of them.
  const std::vector<size_t>& gradients() const { return lowered_.traced.gradients; }

  /// One per gradient, undefined where there is none or it is not wanted. `unpack` gives a
  /// saved value; it is asked for those that are needed only, since others may have been written into
  /// meanwhile.
  /// Undefined tangents are zeros of the sizes that `sizes` gives; `symbols` are those of the forward call.
  std::vector<at::Tensor> Run(const std::function<c10::IValue(size_t)>& unpack, Tangents tangents,
                              const std::function<std::vector<int64_t>(size_t)>& sizes,
                              const graph::sizes::Hints& symbols, const std::vector<bool>& wanted);

  /// Nothing if the graph has none.
  graph::sizes::Hints SymbolsIn(const backend::Values& inputs) const;

 private:
  struct Case {
    graph::Graph graph;
    /// Of the saved values and tangents, those that the graph takes.
    std::vector<size_t> taken;
    /// Which of the gradients it returns.
    std::vector<size_t> gradients;
    /// If it is for all sizes, and forward's own trace does not say for which it is right.
    std::shared_ptr<const Traced> general;
    graph::sizes::Verdicts verdicts;
    /// By the first call.
    std::once_flag once;
    std::unique_ptr<LowerCompiled> compiled;
  };
  /// What tells cases apart: how tangents lie in memory, what is wanted, and the symbols that it is for; no
  /// symbols if it is for all.
  using Key = std::tuple<TangentLayouts, std::vector<bool>, graph::sizes::Hints>;

  /// Where more are wanted that are for some sizes alone, tangents are copied.
  static constexpr size_t kMostCases = 64;

  /// Null if the graph needs what is not saved.
  std::shared_ptr<Case> Find(const Tangents& tangents, const graph::sizes::Hints& symbols,
                             const std::vector<bool>& wanted);
  std::shared_ptr<Case> FindOrMake(const Key& key);
  struct Backward {
    graph::Graph graph;
    /// The input of each gradient.
    std::vector<size_t> gradients;
    std::shared_ptr<const Traced> general = nullptr;
  };
  std::optional<Backward> BackwardFor(const TangentLayouts& tangents,
                                      const graph::sizes::Hints& symbols) const;
  Traced TraceFor(const TangentLayouts& tangents, const graph::sizes::Hints& symbols,
                  std::string& fixed) const;
  bool IsProved(Case& general, const TangentLayouts& tangents, const graph::sizes::Hints& symbols) const;
  void Reduce(const Backward& backward, const std::vector<bool>& wanted, Case& reduced) const;
  size_t PlaceOf(size_t input, size_t nth) const;
  /// Throws if a gradient cannot be one of forward's outputs, as autograd does: a compiler may return
  /// anything.
  void CheckSizes(const Tangents& tangents) const;
  Tangents Conformed(Tangents tangents, const std::function<std::vector<int64_t>(size_t)>& sizes) const;

  const graph::Graph graph_;
  const backend::Values inputs_;
  const GraphSymbols symbols_;
  const TraceModes modes_;
  const Lowered lowered_;
  const std::shared_ptr<LowerCompiler> compiler_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Case>> cases_;
};

}  // namespace culprit::autograd
