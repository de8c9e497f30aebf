// SPDX-License-Identifier: Apache-2.0
#include "autograd/backwards.h"

#include <ATen/ops/empty_strided.h>

#include <algorithm>

#include "autograd/fakes_of.h"
#include "autograd/simplify.h"
#include "base/internal_error.h"
#include "graph/eliminate_dead_code.h"
#include "graph/rebuild.h"
#include "graph/uses.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Argument;

std::vector<std::vector<int64_t>> StridesOf(const Tangents& tangents) {
  std::vector<std::vector<int64_t>> strides;
  strides.reserve(tangents.size());
  for (const at::Tensor& tangent : tangents) {
    // No tensor has this stride.
    strides.push_back(tangent.defined() ? tangent.strides().vec() : std::vector<int64_t>{-1});
  }
  return strides;
}

/// The backward of some cases, with what it does not need left out.
struct Reduced {
  graph::Graph graph;
  std::vector<size_t> taken;
  std::vector<size_t> gradients;
};

graph::Graph WithOutputs(const graph::Graph& graph, std::vector<Argument> outputs) {
  graph::Graph with = graph;
  with.SetOutputs(std::move(outputs));
  return graph::EliminateDeadCode(with);
}

Reduced Reduce(const graph::Graph& backward, const std::vector<bool>& wanted) {
  Reduced reduced;
  std::vector<Argument> outputs;
  for (size_t i = 0; i < backward.outputs().size(); ++i) {
    if (!wanted[i] || !backward.outputs()[i].is_value()) continue;
    outputs.push_back(backward.outputs()[i]);
    reduced.gradients.push_back(i);
  }
  const graph::Graph live = WithOutputs(backward, std::move(outputs));
  const std::vector<bool> is_used = graph::UsedValues(live);
  graph::Rebuild rebuild(live);
  for (size_t i = 0; i < live.placeholders().size(); ++i) {
    const graph::Placeholder& placeholder = live.placeholders()[i];
    if (!is_used[Index(placeholder.value)]) continue;
    const graph::Value& value = live.value(placeholder.value);
    rebuild.Replace(placeholder.value,
                    rebuild.graph().AddPlaceholder(value.name, placeholder.kind, value.kind));
    reduced.taken.push_back(i);
  }
  rebuild.CopyConstants();
  for (const graph::Node& node : live.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  reduced.graph = std::move(rebuild).Take();
  return reduced;
}

backend::Values Choose(const backend::Values& values, const std::vector<size_t>& indices) {
  backend::Values chosen;
  chosen.reserve(indices.size());
  for (const size_t index : indices) chosen.push_back(values[index]);
  return chosen;
}

}  // namespace

Backwards::Backwards(graph::Graph graph, backend::Values inputs, TraceModes modes, Traced traced,
                     Partition partition, std::shared_ptr<LowerCompiler> compiler)
    : graph_(std::move(graph)),
      inputs_(std::move(inputs)),
      modes_(modes),
      traced_(std::move(traced)),
      partition_(std::move(partition)),
      compiler_(std::move(compiler)) {}

std::optional<graph::Graph> Backwards::GraphFor(const Tangents& tangents) const {
  if (StridesOf(tangents) == StridesOf(traced_.tangents)) return partition_.backward;
  const TraceModesScope modes(modes_);
  const Traced traced = Trace(graph_, inputs_, tangents);
  if (std::optional<graph::Graph> backward = BackwardFrom(Simplify(traced.joint), partition_.saved))
    return backward;
  return BackwardFrom(traced.joint, partition_.saved);
}

std::shared_ptr<Backwards::Case> Backwards::Make(const backend::Values& given, const Tangents& tangents,
                                                 const std::vector<bool>& wanted) const {
  const std::optional<graph::Graph> backward = GraphFor(tangents);
  if (!backward) return nullptr;
  Reduced reduced = Reduce(*backward, wanted);
  auto made = std::make_shared<Case>();
  made->taken = std::move(reduced.taken);
  made->gradients = std::move(reduced.gradients);
  made->compiled = compiler_->Compile(reduced.graph, FakesOf(Choose(given, made->taken)));
  return made;
}

std::shared_ptr<Backwards::Case> Backwards::Find(const backend::Values& given, const Tangents& tangents,
                                                 const std::vector<bool>& wanted) {
  const std::lock_guard lock(mutex_);
  const Key key{StridesOf(tangents), wanted};
  const auto known = cases_.find(key);
  if (known != cases_.end()) return known->second;
  return cases_.emplace(key, Make(given, tangents, wanted)).first->second;
}

/// Copies that lie as the first trace had them.
Tangents Backwards::Conformed(Tangents tangents) const {
  for (size_t i = 0; i < tangents.size(); ++i) {
    if (!tangents[i].defined() || tangents[i].strides() == traced_.tangents[i].strides()) continue;
    at::Tensor copy =
        at::empty_strided(tangents[i].sizes(), traced_.tangents[i].strides(), tangents[i].options());
    tangents[i] = copy.copy_(tangents[i]);
  }
  return tangents;
}

std::vector<at::Tensor> Backwards::Run(backend::Values saved, Tangents tangents,
                                       const std::vector<bool>& wanted) {
  const size_t count = saved.size();
  saved.insert(saved.end(), tangents.begin(), tangents.end());
  std::shared_ptr<Case> found = Find(saved, tangents, wanted);
  if (!found) {
    // Tangents that lie otherwise would need what forward has not saved.
    tangents = Conformed(std::move(tangents));
    std::copy(tangents.begin(), tangents.end(), saved.begin() + static_cast<std::ptrdiff_t>(count));
    found = Find(saved, tangents, wanted);
    CULPRIT_CHECK(found, "{} cannot be made of what its forward saves", name());
  }
  std::vector<at::Tensor> gradients(inputs_.size());
  if (found->gradients.empty()) return gradients;
  const backend::Values results = found->compiled->Call(Choose(saved, found->taken));
  for (size_t i = 0; i < results.size(); ++i) gradients[found->gradients[i]] = results[i].toTensor();
  return gradients;
}

}  // namespace culprit::autograd
