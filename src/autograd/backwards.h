// SPDX-License-Identifier: Apache-2.0
//
// The backward graphs that belong to one forward graph. What a backward pass computes depends on which
// gradients come in, how they lie in memory, and which are wanted of it, all of which is known when it runs:
// each case is traced and compiled when it is first met.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "autograd/lower_compiler.h"
#include "autograd/partition.h"
#include "autograd/trace.h"
#include "autograd/trace_modes.h"

namespace culprit::autograd {

class Backwards {
 public:
  /// `inputs` are fakes.
  Backwards(graph::Graph graph, backend::Values inputs, TraceModes modes, Traced traced, Partition partition,
            std::shared_ptr<LowerCompiler> compiler);

  const std::vector<SavedValue>& saved() const { return partition_.saved; }
  size_t inputs() const { return inputs_.size(); }
  const std::string& name() const { return partition_.backward.name(); }

  /// One gradient per input of the graph, undefined where there is none or it is not wanted.
  std::vector<at::Tensor> Run(backend::Values saved, Tangents tangents, const std::vector<bool>& wanted);

 private:
  struct Case {
    std::unique_ptr<LowerCompiled> compiled;
    /// Of the saved values and tangents, those that the graph takes.
    std::vector<size_t> taken;
    /// The gradients that it returns, by input.
    std::vector<size_t> gradients;
  };
  /// What tells cases apart: strides of the tangents, and what is wanted.
  using Key = std::pair<std::vector<std::vector<int64_t>>, std::vector<bool>>;

  /// Null if the graph needs what is not saved.
  std::shared_ptr<Case> Find(const backend::Values& given, const Tangents& tangents,
                             const std::vector<bool>& wanted);
  std::shared_ptr<Case> Make(const backend::Values& given, const Tangents& tangents,
                             const std::vector<bool>& wanted) const;
  std::optional<graph::Graph> GraphFor(const Tangents& tangents) const;
  Tangents Conformed(Tangents tangents) const;

  const graph::Graph graph_;
  const backend::Values inputs_;
  const TraceModes modes_;
  const Traced traced_;
  const Partition partition_;
  const std::shared_ptr<LowerCompiler> compiler_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Case>> cases_;
};

}  // namespace culprit::autograd
