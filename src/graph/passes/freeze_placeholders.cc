// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/freeze_placeholders.h"

#include <algorithm>
#include <numeric>

#include "base/internal_error.h"
#include "graph/analysis/memory_sets.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {
namespace {

class PlaceholderFreezer {
 public:
  PlaceholderFreezer(const Graph& graph, const std::vector<c10::IValue>& inputs)
      : graph_(graph),
        inputs_(inputs),
        rebuild_(graph),
        names_(graph),
        is_frozen_(FreezablePlaceholders(graph, inputs)) {}

  FrozenGraph Run() && {
    std::vector<std::optional<Argument>> given(graph_.placeholders().size());
    FrozenGraph result;
    for (size_t i = 0; i < given.size(); ++i) {
      if (is_frozen_[i] && !IsOutput(ValueOf(i))) continue;
      given[i] = rebuild_.CopyPlaceholder(graph_.placeholders()[i]);
      result.kept.push_back(i);
    }
    rebuild_.CopyConstants();
    for (size_t i = 0; i < given.size(); ++i) {
      if (is_frozen_[i]) rebuild_.Replace(ValueOf(i), AddConstant(i, /*renamed=*/given[i].has_value()));
    }
    for (const Node& node : graph_.nodes()) rebuild_.CopyNode(node);
    for (size_t i = 0; i < given.size(); ++i) {
      if (given[i]) rebuild_.Replace(ValueOf(i), *given[i]);
    }
    rebuild_.CopyOutputs();
    result.graph = std::move(rebuild_).Take();
    return result;
  }

 private:
  ValueId ValueOf(size_t placeholder) const { return graph_.placeholders()[placeholder].value; }

  bool IsOutput(ValueId id) const { return std::ranges::count(graph_.outputs(), Argument(id)) > 0; }

  ValueId AddConstant(size_t i, bool renamed) {
    const std::string& name = graph_.value(ValueOf(i)).name;
    const at::Tensor& tensor = inputs_[i].toTensor();
    return rebuild_.graph().AddConstant(renamed ? names_.Derive(name) : name, copies_.Copy(tensor),
                                        tensor.device());
  }

  const Graph& graph_;
  const std::vector<c10::IValue>& inputs_;
  Rebuild rebuild_;
  FreshNames names_;
  TensorCopies copies_;
  std::vector<bool> is_frozen_;
};

}  // namespace

std::vector<c10::IValue> TakenInputs(std::vector<c10::IValue> inputs, const std::vector<size_t>& kept) {
  std::vector<c10::IValue> taken;
  taken.reserve(kept.size());
  for (const size_t index : kept) taken.push_back(std::move(inputs.at(index)));
  return taken;
}

std::vector<bool> FreezablePlaceholders(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  MemorySets sets(graph);
  const std::vector<bool> written = WrittenSets(graph, sets);
  std::vector<bool> freezable;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Placeholder& placeholder = graph.placeholders()[i];
    const bool has_version =
        inputs[i].isTensor() && inputs[i].toTensor().defined() && !inputs[i].toTensor().is_inference();
    freezable.push_back(placeholder.kind != PlaceholderKind::kInput && has_version &&
                        !written[sets.SetOf(placeholder.value)]);
  }
  return freezable;
}

FrozenGraph KeepPlaceholders(Graph graph) {
  FrozenGraph all{std::move(graph), {}};
  all.kept.resize(all.graph.placeholders().size());
  std::iota(all.kept.begin(), all.kept.end(), size_t{0});
  return all;
}

FrozenGraph FreezePlaceholders(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  CULPRIT_CHECK(inputs.size() == graph.placeholders().size(), "the graph takes {} inputs, not {}",
                graph.placeholders().size(), inputs.size());
  VerifyPass(graph, "before", "FreezePlaceholders");
  FrozenGraph result = PlaceholderFreezer(graph, inputs).Run();
  VerifyPass(result.graph, "behind", "FreezePlaceholders");
  return result;
}

}  // namespace culprit::graph
