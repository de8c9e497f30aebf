// SPDX-License-Identifier: Apache-2.0
//
// What was compiled for inputs of one kind, and everything around the compiled forward graph at a call:
//
//   inputs  =>  forward graph  =>  outputs get a history  =>  writes arrive in the inputs
//           =>  views are made again, and get that history too
#pragma once

#include <memory>
#include <vector>

#include "autograd/runtime/backwards.h"
#include "autograd/runtime/compiled_backward.h"
#include "autograd/runtime/input_kind.h"
#include "autograd/runtime/lower_compiler.h"
#include "autograd/with_autograd.h"
#include "graph/run/interpreter.h"

namespace culprit::autograd {

class Variant {
 public:
  /// Throws Untraceable, and what the compiler throws.
  Variant(const graph::Graph& graph, const backend::Values& inputs,
          const std::shared_ptr<LowerCompiler>& compiler, const AutogradOptions& options);

  backend::Values Call(const backend::Values& inputs) const;

  /// Why it is for inputs of these sizes alone, though the graph has symbols; otherwise empty.
  const std::string& fixed() const { return fixed_; }
  /// What is otherwise for inputs of these sizes, if it is for all; empty if it is right for them.
  std::string Compare(const graph::Graph& graph, const backend::Values& inputs) const;

 private:
  c10::intrusive_ptr<CompiledBackward> AddHistory(const backend::Values& inputs,
                                                  const backend::Values& forward) const;
  backend::Values SavedValues(const backend::Values& inputs, const backend::Values& forward) const;
  void Save(CompiledBackward& function, const backend::Values& values, const backend::Values& inputs,
            const backend::Values& forward) const;
  void CopyBack(const backend::Values& inputs, const backend::Values& forward) const;
  backend::Values Replayed(const backend::Values& inputs, const backend::Values& forward,
                           const c10::intrusive_ptr<CompiledBackward>& function) const;
  backend::Values Outputs(const backend::Values& inputs, const backend::Values& forward,
                          const c10::intrusive_ptr<CompiledBackward>& function) const;
  bool IsWritten(size_t input) const;

  std::string fixed_;
  std::shared_ptr<const Traced> general_;
  OutputPlan plan_;
  std::vector<Mutation> mutations_;
  std::vector<size_t> differentiable_;
  std::vector<size_t> differentiable_views_;
  size_t forward_outputs_ = 0;
  std::unique_ptr<LowerCompiled> forward_;
  /// Null if no gradients flow.
  std::shared_ptr<Backwards> backwards_;
  /// Null if nothing is made again.
  std::unique_ptr<graph::Interpreter> replay_;
};

}  // namespace culprit::autograd
