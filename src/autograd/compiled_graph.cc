// SPDX-License-Identifier: Apache-2.0
#include "autograd/compiled_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "autograd/functional/untraceable.h"
#include "autograd/trace/graph_symbols.h"

namespace culprit::autograd {
namespace {

/// as_strided counts from the beginning of the memory, and what scatters make lies where their argument does.
bool NeedsOffsets(const graph::Graph& graph) {
  constexpr std::string_view kKeepOffset[] = {"aten::diagonal_scatter", "aten::select_scatter",
                                              "aten::slice_scatter"};
  return std::ranges::any_of(graph.nodes(), [&](const graph::Node& node) {
    return node.op->name().find("as_strided") != std::string::npos ||
           std::ranges::find(kKeepOffset, node.op->name()) != std::end(kKeepOffset);
  });
}

}  // namespace

CompiledGraph::CompiledGraph(graph::Graph graph, const backend::Values& inputs,
                             std::shared_ptr<LowerCompiler> compiler, const AutogradOptions& options)
    : graph_(std::move(graph)),
      needs_offsets_(NeedsOffsets(graph_)),
      as_it_is_(graph_),
      compiler_(std::move(compiler)),
      options_(options),
      has_symbols_(HasSymbols(graph_)) {
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

bool CompiledGraph::IsProved(const Known& known, const backend::Values& inputs) const {
  const GraphSymbols symbols = SymbolsOf(graph_, inputs);
  if (!symbols.fixed.empty()) return false;
  if (const std::optional<std::string> verdict = known.verdicts->Find(symbols.hints)) return verdict->empty();
  const std::string difference = known.variant->Compare(graph_, inputs);
  known.verdicts->Note(symbols.hints, difference);
  if (!difference.empty() && options_.log)
    options_.log(fmt::format("{} is compiled again for other sizes: {}", graph_.name(), difference));
  return difference.empty();
}

std::shared_ptr<const Variant> CompiledGraph::FindOrMake(const backend::Values& inputs) {
  const InputKind kind = InputKind::Of(inputs, needs_offsets_);
  const InputKind general = has_symbols_ ? kind.ForAllSizes(graph_) : kind;
  const std::lock_guard lock(mutex_);
  for (const Known& known : variants_) {
    const bool fits = known.kind == (known.verdicts ? general : kind);
    if (fits && (!known.verdicts || IsProved(known, inputs))) return known.variant;
  }
  if (variants_.size() >= options_.most_variants) {
    if (!std::exchange(is_full_, true) && options_.log)
      options_.log(fmt::format("{} runs as it is for inputs of further kinds: it was compiled {} times",
                               graph_.name(), variants_.size()));
    return nullptr;
  }
  std::shared_ptr<const Variant> variant = Make(inputs);
  if (variant && !variant->fixed().empty() && options_.log)
    options_.log(fmt::format("{} is compiled for each size: {}", graph_.name(), variant->fixed()));
  Known known{.kind = kind, .variant = variant};
  if (has_symbols_ && variant && variant->fixed().empty()) {
    known.kind = general;
    known.verdicts = std::make_shared<graph::sizes::Verdicts>();
    known.verdicts->Note(SymbolsOf(graph_, inputs).hints, "");
  }
  variants_.push_back(std::move(known));
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
