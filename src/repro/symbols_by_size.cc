// SPDX-License-Identifier: Apache-2.0
#include "repro/symbols_by_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace culprit::repro {
namespace {

using graph::InputSpecs;
using graph::IntSpec;
using graph::TensorSpec;

class SymbolNames {
 public:
  /// Integers among the inputs say what PyTorch has called them.
  explicit SymbolNames(const InputSpecs& inputs) {
    for (const graph::InputSpec& input : inputs.inputs) {
      const auto* number = std::get_if<IntSpec>(&input);
      if (number == nullptr || !IsName(number->expression) || taken_.contains(number->expression)) continue;
      if (names_.try_emplace(number->value, number->expression).second) taken_.insert(number->expression);
    }
  }

  /// Empty if the size is fixed.
  std::string Of(int64_t size) {
    if (size < 2) return "";
    std::string& name = names_[size];
    for (size_t i = 0; name.empty(); ++i) {
      if (taken_.insert(fmt::format("s{}", i)).second) name = fmt::format("s{}", i);
    }
    return name;
  }

 private:
  static bool IsName(const std::string& text) {
    return text.starts_with('s') && text.size() > 1 && std::all_of(text.begin() + 1, text.end(), ::isdigit);
  }

  std::map<int64_t, std::string> names_;
  std::set<std::string> taken_;
};

std::map<size_t, int> TensorsOnStorages(const InputSpecs& inputs) {
  std::map<size_t, int> count;
  for (const graph::InputSpec& input : inputs.inputs)
    graph::ForEachTensor(input, [&](const TensorSpec& tensor) { ++count[tensor.storage]; });
  return count;
}

}  // namespace

void SetSymbolsBySize(graph::Graph& graph, const InputSpecs& inputs) {
  const auto has_symbols = [](const graph::Placeholder& placeholder) { return !placeholder.symbols.empty(); };
  if (std::ranges::any_of(graph.placeholders(), has_symbols)) return;
  SymbolNames names(inputs);
  std::map<size_t, int> on_storage = TensorsOnStorages(inputs);
  for (size_t i = 0; i < std::min(inputs.inputs.size(), graph.placeholders().size()); ++i) {
    std::vector<std::string> symbols;
    if (const auto* number = std::get_if<IntSpec>(&inputs.inputs[i])) symbols = {names.Of(number->value)};
    const auto* tensor = std::get_if<TensorSpec>(&inputs.inputs[i]);
    if (tensor != nullptr && on_storage[tensor->storage] == 1)
      for (const int64_t size : tensor->sizes) symbols.push_back(names.Of(size));
    if (std::ranges::any_of(symbols, [](const std::string& symbol) { return !symbol.empty(); }))
      graph.SetSymbols(i, std::move(symbols));
  }
}

}  // namespace culprit::repro
