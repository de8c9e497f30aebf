// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/lower_compiler.h"

#include "autograd/partition/lower.h"
#include "autograd/trace/trace_modes.h"

namespace culprit::autograd {
backend::Values LowerCompiled::Call(backend::Values inputs) {
  const BelowAutograd below;
  if (compiled_->is_thread_safe()) return compiled_->Call(inputs);
  const std::lock_guard lock(mutex_);
  return compiled_->Call(inputs);
}

std::unique_ptr<LowerCompiled> LowerCompiler::Compile(const graph::Graph& graph,
                                                      const backend::Values& inputs,
                                                      const std::vector<bool>& frozen) {
  const BelowAutograd below;
  const std::lock_guard lock(mutex_);
  return std::make_unique<LowerCompiled>(backend_->Compile(Lifted(graph, frozen), inputs));
}

}  // namespace culprit::autograd
