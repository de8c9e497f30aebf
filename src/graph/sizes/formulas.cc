// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/formulas.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace culprit::graph::sizes {
namespace {

using Worlds = std::vector<const SizedGraph*>;

constexpr std::array<std::string_view, 12> kWindowed = {
    "aten::conv1d",       "aten::conv2d",     "aten::conv3d",     "aten::convolution",
    "aten::_convolution", "aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d",
    "aten::avg_pool1d",   "aten::avg_pool2d", "aten::avg_pool3d", "aten::max_pool2d_with_indices",
};

/// The number for this dimension of the window, of a list that has one for all or one for each.
int64_t ElementOf(const Argument* argument, size_t window, int64_t otherwise) {
  if (argument == nullptr || !argument->is_list() || argument->list().empty()) return otherwise;
  const Argument::List& list = argument->list();
  const Argument& element = list[std::min(window, list.size() - 1)];
  return element.is_constant() && element.constant().isInt() ? element.constant().toInt() : otherwise;
}

const Argument* FindArgument(const Node& node, std::string_view name) {
  const auto& arguments = node.op->schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name() == name) return &node.arguments[i];
  }
  return nullptr;
}

/// How far a window reaches and how it moves, in one dimension.
struct Window {
  int64_t reach = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  bool rounds_up = false;
};

Window WindowOf(const Node& node, const SizedGraph& world, size_t dimension) {
  const Argument* weight = FindArgument(node, "weight");
  int64_t kernel = ElementOf(FindArgument(node, "kernel_size"), dimension, 1);
  if (weight != nullptr && weight->is_value()) kernel = world.sizes[Index(weight->value())][dimension + 2];
  const bool is_pool = weight == nullptr;
  const int64_t dilation = ElementOf(FindArgument(node, "dilation"), dimension, 1);
  const Argument* rounds_up = FindArgument(node, "ceil_mode");
  return {.reach = dilation * (kernel - 1) + 1,
          .stride = ElementOf(FindArgument(node, "stride"), dimension, is_pool ? kernel : 1),
          .padding = ElementOf(FindArgument(node, "padding"), dimension, 0),
          .rounds_up = rounds_up != nullptr && *rounds_up == Argument(c10::IValue(true))};
}

/// How many windows fit.
Expression Count(const Expression& size, const Window& window) {
  const int64_t surplus = 2 * window.padding - window.reach + (window.rounds_up ? window.stride - 1 : 0);
  const Expression steps = Expression::Of(Operation::kFloorDivide, size + Expression::Constant(surplus),
                                          Expression::Constant(window.stride));
  return steps + Expression::Constant(1);
}

/// A formula counts if it is right in all worlds.
void Learn(const Expression& formula, const Samples& samples, Numbers& numbers) {
  if (formula.HasSymbolsOnly() && numbers.Has(formula, samples)) numbers.KnowFormula(samples, formula);
}

void LearnWindows(const Worlds& worlds, const Node& node, Numbers& numbers) {
  const size_t rank = worlds[0]->sizes[Index(node.results[0])].size();
  if (!node.arguments[0].is_value()) return;
  const size_t given = worlds[0]->sizes[Index(node.arguments[0].value())].size();
  const size_t first = node.op->name().find("1d") != std::string::npos   ? rank - 1
                       : node.op->name().find("2d") != std::string::npos ? rank - 2
                       : node.op->name().find("3d") != std::string::npos ? rank - 3
                                                                         : 2;
  if (given != rank || first >= rank) return;
  for (size_t i = first; i < rank; ++i) {
    const Samples samples = SizeIn(worlds, node.results[0], i);
    const auto size = numbers.FindInSymbols(SizeIn(worlds, node.arguments[0].value(), i));
    if (IsSame(samples) || !size) continue;
    Learn(Count(*size, WindowOf(node, *worlds[0], i - first)), samples, numbers);
  }
}

void LearnSum(const Worlds& worlds, const Node& node, Numbers& numbers) {
  const Argument& tensors = node.arguments[0];
  if (!tensors.is_list()) return;
  for (size_t i = 0; i < worlds[0]->sizes[Index(node.results[0])].size(); ++i) {
    const Samples samples = SizeIn(worlds, node.results[0], i);
    if (IsSame(samples)) continue;
    std::optional<Expression> sum = Expression::Constant(0);
    ForEachValue(tensors, [&](ValueId value) {
      const bool fits = i < worlds[0]->sizes[Index(value)].size();
      const auto size = fits ? numbers.FindInSymbols(SizeIn(worlds, value, i)) : std::nullopt;
      sum = sum && size ? std::optional(*sum + *size) : std::nullopt;
    });
    if (sum) Learn(*sum, samples, numbers);
  }
}

}  // namespace

void LearnFormulas(const Worlds& worlds, NodeId id, Numbers& numbers) {
  const Node& node = worlds[0]->graph.node(id);
  if (std::ranges::find(kWindowed, node.op->name()) != kWindowed.end()) LearnWindows(worlds, node, numbers);
  if (node.op->name() == "aten::cat") LearnSum(worlds, node, numbers);
}

}  // namespace culprit::graph::sizes
