// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/backwards.h"

#include <ATen/ops/empty_strided.h>

#include <algorithm>

#include "autograd/functional/untraceable.h"
#include "autograd/joint/simplify.h"
#include "autograd/trace/fakes_of.h"
#include "autograd/trace/trace_symbols.h"
#include "base/internal_error.h"
#include "graph/analysis/uses.h"
#include "graph/fake/data_dependent.h"
#include "graph/ir/rebuild.h"
#include "graph/passes/eliminate_dead_code.h"
#include "graph/tensors/torch_error.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Argument;

TangentLayouts LayoutsOf(const Tangents& tangents) {
  TangentLayouts layouts(tangents.size());
  for (size_t i = 0; i < tangents.size(); ++i) {
    if (tangents[i].defined())
      layouts[i] = graph::sizes::Layout::Of(tangents[i].sizes(), tangents[i].strides());
  }
  return layouts;
}

graph::Graph WithOutputs(const graph::Graph& graph, std::vector<Argument> outputs) {
  graph::Graph with = graph;
  with.SetOutputs(std::move(outputs));
  return graph::EliminateDeadCode(with);
}

/// `taken` says which placeholders those are.
graph::Graph WithUsedPlaceholders(const graph::Graph& live, std::vector<size_t>& taken) {
  const std::vector<bool> is_used = graph::UsedValues(live);
  graph::Rebuild rebuild(live);
  for (size_t i = 0; i < live.placeholders().size(); ++i) {
    const graph::Placeholder& placeholder = live.placeholders()[i];
    if (!is_used[Index(placeholder.value)]) continue;
    rebuild.CopyPlaceholder(placeholder);
    taken.push_back(i);
  }
  rebuild.CopyConstants();
  for (const graph::Node& node : live.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  return std::move(rebuild).Take();
}

}  // namespace

Backwards::Backwards(graph::Graph graph, backend::Values inputs, TraceModes modes, Lowered lowered,
                     std::shared_ptr<LowerCompiler> compiler)
    : graph_(std::move(graph)),
      inputs_(std::move(inputs)),
      symbols_(SymbolsOf(graph_, inputs_)),
      modes_(modes),
      lowered_(std::move(lowered)),
      compiler_(std::move(compiler)) {}

graph::sizes::Hints Backwards::SymbolsIn(const backend::Values& inputs) const {
  if (!lowered_.fixed.empty() || symbols_.hints.empty()) return {};
  return SymbolsOf(graph_, inputs).hints;
}

Traced Backwards::TraceFor(const TangentLayouts& tangents, const graph::sizes::Hints& symbols,
                           std::string& fixed) const {
  if (!lowered_.fixed.empty()) return Trace(graph_, inputs_, tangents);
  if (symbols.empty()) return TraceSymbols(graph_, inputs_, tangents, fixed);
  return Trace(graph_, WithSizes(inputs_, symbols_, symbols), tangents);
}

std::optional<Backwards::Backward> Backwards::BackwardFor(const TangentLayouts& tangents,
                                                          const graph::sizes::Hints& symbols) const {
  if (tangents == LayoutsOf(lowered_.traced.tangents))
    return Backward{lowered_.partition.backward, lowered_.traced.gradients};
  Traced traced;
  std::string fixed;
  try {
    const TraceModesScope modes(modes_);
    traced = TraceFor(tangents, symbols, fixed);
    // If forward is for all sizes, backward should be.
    if (!fixed.empty()) return std::nullopt;
  } catch (const Untraceable&) {
    return std::nullopt;
  } catch (const graph::fake::DataDependent&) {
    return std::nullopt;
  }
  std::optional<graph::Graph> backward = BackwardFrom(Simplify(traced.joint), lowered_.partition.saved);
  if (!backward) backward = BackwardFrom(traced.joint, lowered_.partition.saved);
  if (!backward) return std::nullopt;
  Backward made{*std::move(backward), traced.gradients};
  if (lowered_.general && symbols.empty()) made.general = std::make_shared<const Traced>(std::move(traced));
  return made;
}

bool Backwards::IsProved(Case& general, const TangentLayouts& tangents,
                         const graph::sizes::Hints& symbols) const {
  if (!general.general || symbols.empty()) return true;
  if (const std::optional<std::string> verdict = general.verdicts.Find(symbols)) return verdict->empty();
  std::string difference;
  try {
    const TraceModesScope modes(modes_);
    difference = CompareTrace(graph_, WithSizes(inputs_, symbols_, symbols), tangents, *general.general);
  } catch (const std::exception& error) {
    difference = graph::TorchMessage(error);
  }
  general.verdicts.Note(symbols, difference);
  return difference.empty();
}

/// Without what the wanted gradients do not need.
void Backwards::Reduce(const Backward& backward, const std::vector<bool>& wanted, Case& reduced) const {
  std::vector<Argument> outputs;
  std::vector<size_t> used(inputs_.size(), 0);
  for (size_t i = 0; i < backward.gradients.size(); ++i) {
    const size_t place = PlaceOf(backward.gradients[i], used[backward.gradients[i]]++);
    if (!wanted[place]) continue;
    outputs.push_back(backward.graph.outputs()[i]);
    reduced.gradients.push_back(place);
  }
  const graph::Graph live = WithOutputs(backward.graph, std::move(outputs));
  reduced.graph = WithUsedPlaceholders(live, reduced.taken);
}

/// Of the nth gradient of an input.
size_t Backwards::PlaceOf(size_t input, size_t nth) const {
  const auto first = std::ranges::find(lowered_.traced.gradients, input);
  const auto place = first + static_cast<std::ptrdiff_t>(nth);
  CULPRIT_CHECK(place < lowered_.traced.gradients.end() && *place == input,
                "{} has no {}th gradient of input {}", name(), nth, input);
  return static_cast<size_t>(place - lowered_.traced.gradients.begin());
}

std::shared_ptr<Backwards::Case> Backwards::FindOrMake(const Key& key) {
  const auto known = cases_.find(key);
  if (known != cases_.end()) return known->second;
  const auto& [tangents, wanted, symbols] = key;
  std::shared_ptr<Case> made;
  if (const std::optional<Backward> backward = BackwardFor(tangents, symbols)) {
    made = std::make_shared<Case>();
    made->general = backward->general;
    Reduce(*backward, wanted, *made);
  }
  return cases_.emplace(key, std::move(made)).first->second;
}

std::shared_ptr<Backwards::Case> Backwards::Find(const Tangents& tangents, const graph::sizes::Hints& symbols,
                                                 const std::vector<bool>& wanted) {
  const std::lock_guard lock(mutex_);
  const TangentLayouts layouts = LayoutsOf(tangents);
  std::shared_ptr<Case> found = FindOrMake({layouts, wanted, {}});
  if (found && !IsProved(*found, layouts, symbols)) found = nullptr;
  if (found || symbols.empty()) return found;
  const Key key{layouts, wanted, symbols};
  return cases_.contains(key) || cases_.size() < kMostCases ? FindOrMake(key) : nullptr;
}

void Backwards::CheckSizes(const Tangents& tangents) const {
  for (size_t i = 0; i < tangents.size(); ++i) {
    const at::Tensor& expected = lowered_.traced.tangents[i];
    if (!tangents[i].defined() || !expected.defined()) continue;
    const bool fits = symbols_.hints.empty() ? tangents[i].sizes() == expected.sizes()
                                             : tangents[i].dim() == expected.dim();
    TORCH_CHECK(fits, "invalid gradient at index ", i, " - got ", tangents[i].sizes(),
                " but expected shape compatible with ", expected.sizes());
  }
}

/// As the first trace had them: copies that lie so, and zeros for those that nobody has.
Tangents Backwards::Conformed(Tangents tangents,
                              const std::function<std::vector<int64_t>(size_t)>& sizes) const {
  const TangentLayouts wanted = LayoutsOf(lowered_.traced.tangents);
  for (size_t i = 0; i < tangents.size(); ++i) {
    if (!wanted[i]) continue;
    const bool is_given = tangents[i].defined();
    if (is_given && wanted[i]->Fits(tangents[i].sizes(), tangents[i].strides())) continue;
    const std::vector<int64_t> size = is_given ? tangents[i].sizes().vec() : sizes(i);
    at::Tensor copy =
        at::empty_strided(size, wanted[i]->StridesFor(size), lowered_.traced.tangents[i].options());
    tangents[i] = is_given ? copy.copy_(tangents[i]) : copy.zero_();
  }
  return tangents;
}

std::vector<at::Tensor> Backwards::Run(const std::function<IValue(size_t)>& unpack, Tangents tangents,
                                       const std::function<std::vector<int64_t>(size_t)>& sizes,
                                       const graph::sizes::Hints& symbols, const std::vector<bool>& wanted) {
  // Traces know tangents as they lie in memory.
  for (at::Tensor& tangent : tangents) {
    if (tangent.defined()) tangent = tangent.resolve_conj().resolve_neg();
  }
  CheckSizes(tangents);
  std::shared_ptr<Case> found = Find(tangents, symbols, wanted);
  if (!found) {
    // Other tangents would need what forward has not saved, or cannot be traced.
    tangents = Conformed(std::move(tangents), sizes);
    found = Find(tangents, symbols, wanted);
    CULPRIT_CHECK(found, "{} cannot be made of what its forward saves", name());
  }
  std::vector<at::Tensor> gradients(lowered_.traced.gradients.size());
  if (found->gradients.empty()) return gradients;
  backend::Values given;
  given.reserve(found->taken.size());
  for (const size_t index : found->taken)
    given.push_back(index < saved().size() ? unpack(index) : IValue(tangents[index - saved().size()]));
  std::call_once(found->once, [&] { found->compiled = compiler_->Compile(found->graph, FakesOf(given)); });
  const backend::Values results = found->compiled->Call(std::move(given));
  for (size_t i = 0; i < results.size(); ++i) gradients[found->gradients[i]] = results[i].toTensor();
  return gradients;
}

}  // namespace culprit::autograd
