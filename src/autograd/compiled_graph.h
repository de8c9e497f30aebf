// SPDX-License-Identifier: Apache-2.0
//
// A graph that is compiled below autograd and called above it, by several threads if need be: a variant
// (variant.h) for each kind of inputs that has come so far. A kind for which the graph cannot be traced runs
// as it is.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "autograd/input_kind.h"
#include "autograd/variant.h"

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
    bool is_for_all_sizes = false;
  };
  const bool has_symbols_;
  std::vector<Known> variants_;
};

}  // namespace culprit::autograd
