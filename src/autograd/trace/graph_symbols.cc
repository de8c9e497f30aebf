// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/graph_symbols.h"

#include <algorithm>
#include <map>
#include <string>

#include "graph/fake/world.h"
#include "graph/sizes/expressions/layout.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::sizes::Layout;

bool IsTensor(const IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().has_storage();
}

/// Others would have to change their sizes with it.
bool IsAlone(const backend::Values& inputs, size_t index) {
  const at::Tensor& tensor = inputs[index].toTensor();
  if (tensor.is_view() && tensor.requires_grad()) return false;
  return std::ranges::count_if(inputs, [&](const IValue& each) {
           return IsTensor(each) && each.toTensor().storage().is_alias_of(tensor.storage());
         }) == 1;
}

}  // namespace

bool HasSymbols(const graph::Graph& graph) {
  return std::ranges::any_of(graph.placeholders(), [](const graph::Placeholder& placeholder) {
    return !placeholder.symbols.empty();
  });
}

GraphSymbols SymbolsOf(const graph::Graph& graph, const backend::Values& inputs) {
  GraphSymbols symbols;
  std::map<std::string, size_t> known;
  const auto add = [&](size_t placeholder, std::optional<size_t> dimension, const std::string& name,
                       int64_t hint) {
    if (name.empty() || hint < 2) return;
    const auto [symbol, is_new] = known.emplace(name, symbols.hints.size());
    if (is_new) symbols.hints.push_back(hint);
    if (symbols.hints[symbol->second] != hint) {
      symbols.fixed = name + " is not the same everywhere";
    } else {
      symbols.places.push_back({symbol->second, placeholder, dimension});
    }
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::string>& names = graph.placeholders()[i].symbols;
    if (names.empty()) continue;
    if (inputs[i].isInt()) add(i, std::nullopt, names[0], inputs[i].toInt());
    if (!IsTensor(inputs[i])) continue;
    if (!IsAlone(inputs, i)) {
      symbols.fixed = graph.value(graph.placeholders()[i].value).name + " shares its memory";
      continue;
    }
    const at::Tensor& tensor = inputs[i].toTensor();
    for (size_t k = 0; k < names.size() && k < tensor.sizes().size(); ++k)
      add(i, k, names[k], tensor.size(static_cast<int64_t>(k)));
  }
  return symbols;
}

backend::Values WithSizes(const backend::Values& inputs, const GraphSymbols& symbols,
                          const graph::sizes::Hints& hints) {
  std::map<size_t, std::vector<int64_t>> sizes;
  backend::Values with = inputs;
  for (const graph::sizes::SymbolPlace& place : symbols.places) {
    if (!place.dimension) {
      with[place.placeholder] = hints[place.symbol];
      continue;
    }
    const at::Tensor& tensor = inputs[place.placeholder].toTensor();
    sizes.try_emplace(place.placeholder, tensor.sizes().vec()).first->second[*place.dimension] =
        hints[place.symbol];
  }
  graph::fake::World world;
  for (const auto& [index, other] : sizes) {
    const at::Tensor& tensor = inputs[index].toTensor();
    with[index] = world.FakeOf(tensor, other, Layout::Of(tensor.sizes(), tensor.strides()).StridesFor(other));
  }
  return with;
}

}  // namespace culprit::autograd
