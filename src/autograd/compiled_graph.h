// SPDX-License-Identifier: Apache-2.0
//
// A graph that is compiled below autograd and called above it, by several threads if need be: a variant
// (variant.h) for each kind of inputs that has come so far. A variant for all sizes is compared with a trace
// before it is used for sizes for the first time, and where it is wrong there is another one. A kind for
// which the graph cannot be traced runs as it is.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "autograd/runtime/input_kind.h"
#include "autograd/variant.h"
#include "graph/sizes/generalise/verdicts.h"

namespace culprit::autograd {

class CompiledGraph : public backend::Compiled {
 public:
  CompiledGraph(graph::Graph graph, const backend::Values& inputs, std::shared_ptr<LowerCompiler> compiler,
                const AutogradOptions& options);

  backend::Values Call(backend::Values& inputs) override;
  /// Knows where a graph stopped that runs as it is.
  backend::Values CallReporting(backend::Values& inputs,
                                std::optional<graph::Interruption>& interruption) override;
  bool is_thread_safe() const override { return true; }

 private:
  /// Null if the graph is to run as it is.
  std::shared_ptr<const Variant> FindOrMake(const backend::Values& inputs);
  std::shared_ptr<const Variant> Make(const backend::Values& inputs) const;

  const graph::Graph graph_;
  const bool needs_offsets_;
  const graph::Interpreter as_it_is_;
  const std::shared_ptr<LowerCompiler> compiler_;
  const AutogradOptions options_;
  std::mutex mutex_;
  struct Known {
    InputKind kind;
    /// Null if the graph is to run as it is.
    std::shared_ptr<const Variant> variant;
    /// Null if it is for the sizes of this kind alone.
    std::shared_ptr<graph::sizes::Verdicts> verdicts;
  };
  /// Whether a variant of this kind is right for these inputs.
  bool IsProved(const Known& known, const backend::Values& inputs) const;
  const bool has_symbols_;
  std::vector<Known> variants_;
  bool is_full_ = false;
};

}  // namespace culprit::autograd
