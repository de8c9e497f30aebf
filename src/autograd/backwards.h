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
#include <vector>

#include "autograd/lower.h"
#include "autograd/lower_compiler.h"
#include "autograd/trace_modes.h"

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
  /// Undefined tangents are zeros of the sizes that `sizes` gives.
  std::vector<at::Tensor> Run(const std::function<c10::IValue(size_t)>& unpack, Tangents tangents,
                              const std::function<std::vector<int64_t>(size_t)>& sizes,
                              const std::vector<bool>& wanted);

 private:
  struct Case {
    graph::Graph graph;
    /// Of the saved values and tangents, those that the graph takes.
    std::vector<size_t> taken;
    /// Which of the gradients it returns.
    std::vector<size_t> gradients;
    /// By the first call.
    std::once_flag once;
    std::unique_ptr<LowerCompiled> compiled;
  };
  /// What tells cases apart: how tangents lie in memory, and what is wanted.
  using Key = std::pair<TangentLayouts, std::vector<bool>>;

  /// Null if the graph needs what is not saved.
  std::shared_ptr<Case> Find(const TangentLayouts& tangents, const std::vector<bool>& wanted);
  struct Backward {
    graph::Graph graph;
    /// The input of each gradient.
    std::vector<size_t> gradients;
  };
  std::optional<Backward> BackwardFor(const TangentLayouts& tangents) const;
  void Reduce(const Backward& backward, const std::vector<bool>& wanted, Case& reduced) const;
  size_t PlaceOf(size_t input, size_t nth) const;
  Tangents Conformed(Tangents tangents, const std::function<std::vector<int64_t>(size_t)>& sizes) const;

  const graph::Graph graph_;
  const backend::Values inputs_;
  const TraceModes modes_;
  const Lowered lowered_;
  const std::shared_ptr<LowerCompiler> compiler_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Case>> cases_;
};

}  // namespace culprit::autograd
