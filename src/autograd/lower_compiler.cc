// SPDX-License-Identifier: Apache-2.0
#include "autograd/lower_compiler.h"

#include <algorithm>

#include "autograd/trace_modes.h"
#include "base/internal_error.h"

namespace culprit::autograd {
namespace {

/// Parameters are inputs below autograd: whoever took them for constants would train nothing.
graph::Graph WithoutParameters(graph::Graph graph) {
  for (size_t i = 0; i < graph.placeholders().size(); ++i)
    graph.SetPlaceholderKind(i, graph::PlaceholderKind::kInput);
  const bool is_clean = std::ranges::none_of(graph.constants(), [](const graph::TensorConstant& constant) {
    return constant.tensor.requires_grad();
  });
  CULPRIT_CHECK(is_clean, "{} has a parameter inside", graph.name());
  return graph;
}

}  // namespace

backend::Values LowerCompiled::Call(backend::Values inputs) {
  const BelowAutograd below;
  if (compiled_->is_thread_safe()) return compiled_->Call(inputs);
  const std::lock_guard lock(mutex_);
  return compiled_->Call(inputs);
}

std::unique_ptr<LowerCompiled> LowerCompiler::Compile(const graph::Graph& graph,
                                                      const backend::Values& inputs) {
  const BelowAutograd below;
  const std::lock_guard lock(mutex_);
  return std::make_unique<LowerCompiled>(backend_->Compile(WithoutParameters(graph), inputs));
}

}  // namespace culprit::autograd
