// SPDX-License-Identifier: Apache-2.0
#include "backends/native/compiled.h"

#include <c10/core/GradMode.h>

#include <algorithm>

#include "backend/insight.h"
#include "backends/native/show_passes.h"
#include "compiler/lower/lower.h"

namespace culprit::backends::native {
namespace {

using compiler::pipeline::Compilation;
using compiler::run::Executable;

// Plans are small, but a service may see many sizes.
constexpr size_t kMostVariants = 64;

bool HasSymbols(const graph::Graph& graph) {
  return std::ranges::any_of(graph.placeholders(), [&](const graph::Placeholder& placeholder) {
    return !placeholder.symbols.empty() || graph.value(placeholder.value).kind == graph::ValueKind::kInt;
  });
}

}  // namespace

NativeCompiled::NativeCompiled(Compiler compiler, graph::Graph graph, const backend::Values& inputs)
    : compiler_(std::move(compiler)),
      graph_(std::make_shared<graph::Graph>(std::move(graph))),
      as_it_is_(*graph_) {
  compiler_.options.symbolic = HasSymbols(*graph_);
  variants_.push_back(Make(inputs));
}

NativeCompiled::Variant NativeCompiled::Make(const backend::Values& inputs) const {
  backend::SwitchBoard switches(compiler_.off);
  Variant variant{LayoutsOf(inputs), nullptr};
  try {
    const Compilation compilation{.options = compiler_.options, .inputs = inputs, .graph = graph_};
    ShowPasses show;
    const bool is_shown = backend::IsInsightWanted();
    if (is_shown) show.Before(compilation);
    variant.executable = Compile(compilation, compiler_.pipeline, switches, is_shown ? &show : nullptr);
  } catch (const compiler::lower::NotLowerable& error) {
    backend::ShowInsight("runs_as_it_is.txt", std::string(error.what()) + "\n");
  }
  return variant;
}

std::shared_ptr<const Executable> NativeCompiled::Find(const backend::Values& inputs) {
  const std::lock_guard lock(mutex_);
  for (auto variant = variants_.begin(); variant != variants_.end(); ++variant) {
    if (!LieAs(inputs, variant->layouts)) continue;
    variants_.splice(variants_.begin(), variants_, variant);
    return variants_.front().executable;
  }
  variants_.push_front(Make(inputs));
  if (variants_.size() > kMostVariants) variants_.pop_back();
  return variants_.front().executable;
}

backend::Values NativeCompiled::Call(backend::Values& inputs) {
  const c10::NoGradGuard no_grad;
  const std::shared_ptr<const Executable> executable = Find(inputs);
  return executable ? executable->Run(inputs) : as_it_is_.Run(std::move(inputs));
}

}  // namespace culprit::backends::native
