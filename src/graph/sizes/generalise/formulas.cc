// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/formulas.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/sizes/expressions/condition.h"

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

/// The least and the largest of two, unless it is known which one that is.
Expression Least(const Expression& a, const Expression& b) {
  if (AlwaysHolds({a, Relation::kLessEqual, b})) return a;
  if (AlwaysHolds({b, Relation::kLessEqual, a})) return b;
  return Expression::Of(Operation::kMinimum, a, b);
}

Expression Largest(const Expression& a, const Expression& b) {
  if (AlwaysHolds({a, Relation::kGreaterEqual, b})) return a;
  if (AlwaysHolds({b, Relation::kGreaterEqual, a})) return b;
  return Expression::Of(Operation::kMaximum, a, b);
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
    if (!size) continue;
    Learn(Count(*size, WindowOf(node, *worlds[0], i - first)), samples, numbers);
  }
}

void LearnSum(const Worlds& worlds, const Node& node, Numbers& numbers) {
  const Argument& tensors = node.arguments[0];
  if (!tensors.is_list()) return;
  for (size_t i = 0; i < worlds[0]->sizes[Index(node.results[0])].size(); ++i) {
    const Samples samples = SizeIn(worlds, node.results[0], i);
    std::optional<Expression> sum = Expression::Constant(0);
    ForEachValue(tensors, [&](ValueId value) {
      const bool fits = i < worlds[0]->sizes[Index(value)].size();
      const auto size = fits ? numbers.FindInSymbols(SizeIn(worlds, value, i)) : std::nullopt;
      sum = sum && size ? std::optional(*sum + *size) : std::nullopt;
    });
    if (sum) Learn(*sum, samples, numbers);
  }
}

/// A place in a dimension of this size, as slices mean it: from the end if it is negative, and never outside.
/// Nothing if it may be both.
std::optional<Expression> Clamped(const Expression& place, const Expression& size) {
  const Bounds bounds = BoundsOf(place);
  if (bounds.least && *bounds.least >= 0) return Least(place, size);
  if (bounds.largest && *bounds.largest < 0) return Largest(size + place, Expression::Constant(0));
  return std::nullopt;
}

std::vector<const Argument*> ArgumentIn(const Worlds& worlds, NodeId node, size_t argument) {
  std::vector<const Argument*> everywhere;
  for (const SizedGraph* world : worlds) everywhere.push_back(&world->graph.node(node).arguments[argument]);
  return everywhere;
}

/// `otherwise` is what it is if nobody says so.
std::optional<Expression> NumberIn(const std::vector<const Argument*>& everywhere,
                                   const std::optional<Expression>& otherwise, const Numbers& numbers) {
  Samples samples;
  for (const Argument* each : everywhere) {
    if (each->is_none()) return otherwise;
    if (!each->is_constant() || !each->constant().isInt()) return std::nullopt;
    // How slices without an end are written.
    if (each->constant().toInt() == INT64_MAX) return otherwise;
    samples.push_back(each->constant().toInt());
  }
  return numbers.FindInSymbols(samples);
}

/// slice(tensor, dimension, begin, end, step)
void LearnSlice(const Worlds& worlds, NodeId id, Numbers& numbers) {
  const Node& node = worlds[0]->graph.node(id);
  if (!node.arguments[0].is_value() || !node.arguments[1].is_constant() || !node.arguments[4].is_constant())
    return;
  const size_t rank = worlds[0]->sizes[Index(node.results[0])].size();
  const int64_t dimension = node.arguments[1].constant().toInt();
  const auto place = static_cast<size_t>(dimension < 0 ? dimension + static_cast<int64_t>(rank) : dimension);
  const auto size = numbers.FindInSymbols(SizeIn(worlds, node.arguments[0].value(), place));
  if (!size || size->kind() == Expression::Kind::kConstant) return;
  const Expression zero = Expression::Constant(0);
  const auto begin = NumberIn(ArgumentIn(worlds, id, 2), zero, numbers);
  const auto end = NumberIn(ArgumentIn(worlds, id, 3), *size, numbers);
  const auto from = begin ? Clamped(*begin, *size) : std::nullopt;
  const auto to = end ? Clamped(*end, *size) : std::nullopt;
  if (!from || !to) return;
  const int64_t step = node.arguments[4].constant().toInt();
  const Expression length = Largest(Expression::Of(Operation::kSubtract, *to, *from), zero);
  const Expression count = Expression::Of(Operation::kFloorDivide, length + Expression::Constant(step - 1),
                                          Expression::Constant(step));
  Learn(count, SizeIn(worlds, node.results[0], place), numbers);
}

/// pad(tensor, [before, behind, ...]): the last dimension comes first.
void LearnPadding(const Worlds& worlds, NodeId id, Numbers& numbers) {
  const Node& node = worlds[0]->graph.node(id);
  if (!node.arguments[0].is_value() || !node.arguments[1].is_list()) return;
  const size_t rank = worlds[0]->sizes[Index(node.results[0])].size();
  const std::vector<const Argument*> pads = ArgumentIn(worlds, id, 1);
  const auto pad = [&](size_t index) {
    std::vector<const Argument*> elements;
    elements.reserve(pads.size());
    for (const Argument* each : pads) elements.push_back(&each->list()[index]);
    return NumberIn(elements, std::nullopt, numbers);
  };
  for (size_t i = 0; 2 * i + 1 < pads[0]->list().size() && i < rank; ++i) {
    const size_t place = rank - 1 - i;
    const Samples samples = SizeIn(worlds, node.results[0], place);
    const auto size = numbers.FindInSymbols(SizeIn(worlds, node.arguments[0].value(), place));
    const auto before = pad(2 * i);
    const auto behind = pad(2 * i + 1);
    if (size && before && behind) Learn(*size + *before + *behind, samples, numbers);
  }
}

}  // namespace

void LearnFormulas(const Worlds& worlds, NodeId id, Numbers& numbers) {
  const Node& node = worlds[0]->graph.node(id);
  if (std::ranges::find(kWindowed, node.op->name()) != kWindowed.end()) LearnWindows(worlds, node, numbers);
  if (node.op->name() == "aten::cat") LearnSum(worlds, node, numbers);
  if (node.op->qualified_name() == "aten::slice.Tensor") LearnSlice(worlds, id, numbers);
  if (node.op->name() == "aten::pad" || node.op->name() == "aten::constant_pad_nd")
    LearnPadding(worlds, id, numbers);
}

}  // namespace culprit::graph::sizes
