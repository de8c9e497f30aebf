// SPDX-License-Identifier: Apache-2.0
#include "autograd/compiled_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/untraceable.h"

namespace culprit::autograd {
namespace {

/// as_strided counts from the beginning of the memory.
bool NeedsOffsets(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const graph::Node& node) {
    return node.op->name().find("as_strided") != std::string::npos;
  });
}

}  // namespace

CompiledGraph::CompiledGraph(graph::Graph graph, const backend::Values& inputs,
                             std::shared_ptr<LowerCompiler> compiler, const AutogradOptions& options)
    : graph_(std::move(graph)),
      needs_offsets_(NeedsOffsets(graph_)),
      as_it_is_(graph_),
      compiler_(std::move(compiler)),
      options_(options) {
  FindOrMake(inputs);
}

std::shared_ptr<const Variant> CompiledGraph::Make(const backend::Values& inputs) const {
  try {
    return std::make_shared<const Variant>(graph_, inputs, compiler_, options_);
  } catch (const Untraceable& reason) {
    if (options_.log) options_.log(fmt::format("{} runs as it is: {}", graph_.name(), reason.what()));
    return nullptr;
  }
}

std::shared_ptr<const Variant> CompiledGraph::FindOrMake(const backend::Values& inputs) {
  InputKind kind = InputKind::Of(inputs, needs_offsets_);
  const std::lock_guard lock(mutex_);
  for (const auto& [known, variant] : variants_) {
    if (known == kind) return variant;
  }
  std::shared_ptr<const Variant> variant = Make(inputs);
  variants_.emplace_back(std::move(kind), variant);
  return variant;
}

backend::Values CompiledGraph::Call(backend::Values& inputs) {
  std::optional<graph::Interruption> nobody_asks;
  return CallReporting(inputs, nobody_asks);
}

backend::Values CompiledGraph::CallReporting(backend::Values& inputs,
                                             std::optional<graph::Interruption>& interruption) {
  const std::shared_ptr<const Variant> variant = FindOrMake(inputs);
  backend::Values given = std::move(inputs);
  inputs.clear();
  return variant ? variant->Call(given) : as_it_is_.Run(std::move(given), nullptr, &interruption);
}

}  // namespace culprit::autograd
