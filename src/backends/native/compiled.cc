// SPDX-License-Identifier: Apache-2.0
#include "backends/native/compiled.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <mutex>

#include "backend/insight.h"
#include "backends/native/show_passes.h"
#include "compiler/lower/lower.h"

namespace culprit::backends::native {
namespace {

using compiler::run::Executable;

// Plans are small, but a service may see many sizes.
constexpr size_t kMostVariants = 64;

bool HasSymbols(const graph::Graph& graph) {
  return std::ranges::any_of(graph.placeholders(), [&](const graph::Placeholder& placeholder) {
    return !placeholder.symbols.empty() || graph.value(placeholder.value).kind == graph::ValueKind::kInt;
  });
}

}  // namespace

NativeCompiled::NativeCompiled(const Compiler& compiler, graph::Graph graph, const backend::Values& inputs)
    : NativeCompiled(compiler,
                     compiler.parameters == backend::Parameters::kFrozen
                         ? FreezePlaceholders(graph, inputs)
                         : graph::KeepPlaceholders(std::move(graph)),
                     inputs) {}

NativeCompiled::NativeCompiled(Compiler compiler, graph::FrozenGraph frozen, const backend::Values& inputs)
    : compiler_(std::move(compiler)), kept_(std::move(frozen.kept)), as_it_is_(frozen.graph) {
  compiler_.options.symbolic = HasSymbols(frozen.graph);
  on_graph_.options = compiler_.options;
  on_graph_.graph = std::make_shared<const graph::Graph>(std::move(frozen.graph));
  backend::SwitchBoard switches(compiler_.off);
  ShowPasses show;
  const bool is_shown = backend::IsInsightWanted();
  if (is_shown) show.Before(on_graph_);
  RunOnGraph(on_graph_, compiler_.pipeline, switches, is_shown ? &show : nullptr);
  variants_.push_back(Make(graph::TakenInputs(inputs, kept_), is_shown ? &show : nullptr));
}

NativeCompiled::Variant NativeCompiled::Make(const backend::Values& inputs, Observer* observer) const {
  backend::SwitchBoard switches(compiler_.off);
  Variant variant{LayoutsOf(inputs), nullptr};
  compiler::pipeline::Compilation compilation = on_graph_;
  compilation.inputs = inputs;
  try {
    variant.executable = CompileForInputs(std::move(compilation), compiler_.pipeline, switches, observer);
  } catch (const compiler::lower::NotLowerable& error) {
    backend::ShowInsight("runs_as_it_is.txt", std::string(error.what()) + "\n");
  }
  return variant;
}

const NativeCompiled::Variant* NativeCompiled::Known(const backend::Values& inputs) {
  for (auto variant = variants_.begin(); variant != variants_.end(); ++variant) {
    if (!LieAs(inputs, variant->layouts)) continue;
    variants_.splice(variants_.begin(), variants_, variant);
    return &variants_.front();
  }
  return nullptr;
}

std::shared_ptr<const Executable> NativeCompiled::Find(const backend::Values& inputs) {
  {
    const std::lock_guard lock(mutex_);
    if (const Variant* known = Known(inputs)) return known->executable;
  }
  // Nobody else waits for this. Of two threads that compile the same, one has worked in vain.
  std::list<Variant> made;
  made.push_back(Make(inputs));
  std::list<Variant> forgotten;
  const std::lock_guard lock(mutex_);
  if (const Variant* known = Known(inputs)) return known->executable;
  variants_.splice(variants_.begin(), made);
  if (variants_.size() > kMostVariants)
    forgotten.splice(forgotten.begin(), variants_, std::prev(variants_.end()));
  return variants_.front().executable;
}

backend::Values NativeCompiled::Call(backend::Values& inputs) {
  const c10::NoGradGuard no_grad;
  backend::Values kept = graph::TakenInputs(std::move(inputs), kept_);
  inputs.clear();
  const std::shared_ptr<const Executable> executable = Find(kept);
  return executable ? executable->Run(kept) : as_it_is_.Run(std::move(kept));
}

}  // namespace culprit::backends::native
