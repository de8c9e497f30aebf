// SPDX-License-Identifier: Apache-2.0
#include "minify/order/simplest_attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "graph/ir/bind.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using graph::SlotKind;

constexpr size_t kMostCandidates = 4;

struct NamedNumber {
  std::string_view name;
  double number;
};

/// Where schemas have no default.
constexpr NamedNumber kSimplestByName[] = {{"stride", 1},  {"padding", 0},        {"dilation", 1},
                                           {"groups", 1},  {"output_padding", 0}, {"kernel_size", 1},
                                           {"eps", 1e-05}, {"momentum", 0.1}};

bool IsAttributeKind(SlotKind kind) {
  switch (kind) {
    case SlotKind::kInt:
    case SlotKind::kFloat:
    case SlotKind::kBool:
    case SlotKind::kNumber:
    case SlotKind::kString:
    case SlotKind::kMemoryFormat:
      return true;
    default:
      return false;
  }
}

bool HoldsValues(const Argument& argument) {
  bool holds = false;
  ForEachValue(argument, [&](graph::ValueId) { holds = true; });
  return holds;
}

/// A number in the place of a tensor is one too.
bool IsAttribute(const graph::Node& node, size_t index) {
  const graph::Slot& slot = node.op->slots()[index];
  const Argument& argument = node.arguments[index];
  if (HoldsValues(argument)) return false;
  if (slot.kind == SlotKind::kTensor) return argument.is_constant() && !argument.is_none();
  return IsAttributeKind(slot.kind) || (slot.kind == SlotKind::kList && IsAttributeKind(slot.element->kind));
}

/// The number with the type of the constant.
std::optional<Argument> NumberLike(const c10::IValue& constant, double number) {
  if (constant.isDouble()) return Argument(c10::IValue(number));
  if (constant.isInt() && number == std::floor(number))
    return Argument(c10::IValue(static_cast<int64_t>(number)));
  return std::nullopt;
}

std::optional<Argument> ByName(const std::string& name, const Argument& now) {
  const auto* const found = std::ranges::find(kSimplestByName, name, &NamedNumber::name);
  if (found == std::end(kSimplestByName)) return std::nullopt;
  if (now.is_constant()) return NumberLike(now.constant(), found->number);
  Argument::List list;
  for (const Argument& element : now.list()) {
    const std::optional<Argument> number =
        element.is_constant() ? NumberLike(element.constant(), found->number) : std::nullopt;
    if (!number) return std::nullopt;
    list.push_back(*number);
  }
  return Argument(std::move(list));
}

using Defaults = std::vector<std::optional<Argument>>;

/// Of all arguments. Sizes are asked for all nodes again and again, so schemas are read once.
const Defaults& DefaultsOf(const graph::Operator& op) {
  static std::mutex mutex;
  static std::unordered_map<const graph::Operator*, Defaults> known;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = known.try_emplace(&op);
  for (size_t i = 0; is_new && i < op.slots().size(); ++i) found->second.push_back(graph::DefaultOf(op, i));
  return found->second;
}

size_t ComplexityOfInt(int64_t number) {
  constexpr int64_t kLarge = int64_t{1} << 40;
  const int64_t magnitude = number == INT64_MIN ? kLarge : std::min(std::abs(number), kLarge);
  return static_cast<size_t>(2 * magnitude + (number < 0 ? 1 : 0)) + 1;
}

size_t ComplexityOfConstant(const c10::IValue& constant) {
  if (constant.isNone()) return 0;
  if (constant.isInt()) return ComplexityOfInt(constant.toInt());
  if (!constant.isDouble()) return 1;
  const double number = constant.toDouble();
  for (const int simple : {0, 1, 2}) {
    if (number == simple && !std::signbit(number)) return static_cast<size_t>(simple) + 1;
  }
  return 4 + fmt::format("{}", number).size();
}

size_t ComplexityOf(const Argument& argument) {
  if (!argument.is_list()) return argument.is_constant() ? ComplexityOfConstant(argument.constant()) : 0;
  size_t sum = 0;
  for (const Argument& element : argument.list()) sum += ComplexityOf(element);
  return sum;
}

double OneDigit(double number) {
  return std::strtod(fmt::format("{:.0e}", number).c_str(), nullptr);
}

}  // namespace

std::optional<Argument> SimplestAttribute(const graph::Node& node, size_t argument) {
  if (!IsAttribute(node, argument)) return std::nullopt;
  if (const std::optional<Argument>& value = DefaultsOf(*node.op)[argument]) return value;
  const Argument& now = node.arguments[argument];
  const std::string& name = node.op->schema().arguments()[argument].name();
  if (now.is_constant() && now.constant().isBool()) {
    // Without statistics of a training libtorch crashes if it is told that there are some.
    return name == "training" || name == "train" ? now : Argument(c10::IValue(false));
  }
  return ByName(name, now);
}

size_t AttributeComplexity(const graph::Node& node, size_t argument) {
  if (!IsAttribute(node, argument)) return 0;
  const std::optional<Argument> simplest = SimplestAttribute(node, argument);
  if (simplest && *simplest == node.arguments[argument]) return 0;
  return 1 + ComplexityOf(node.arguments[argument]);
}

std::vector<Argument> SimplerAttributes(const graph::Node& node, size_t argument) {
  const size_t complexity = AttributeComplexity(node, argument);
  if (complexity == 0) return {};
  std::vector<Argument> candidates;
  graph::Node changed = node;
  const auto add = [&](const std::optional<Argument>& candidate) {
    if (!candidate || candidates.size() == kMostCandidates) return;
    changed.arguments[argument] = *candidate;
    const bool is_new = std::ranges::find(candidates, *candidate) == candidates.end();
    if (is_new && AttributeComplexity(changed, argument) < complexity) candidates.push_back(*candidate);
  };
  add(SimplestAttribute(node, argument));
  const Argument& now = node.arguments[argument];
  const SlotKind kind = node.op->slots()[argument].kind;
  const bool is_number = kind == SlotKind::kNumber || kind == SlotKind::kFloat || kind == SlotKind::kTensor;
  if (!is_number || !now.is_constant()) return candidates;
  for (const int number : {0, 1, 2}) add(NumberLike(now.constant(), number));
  if (now.constant().isDouble()) add(Argument(c10::IValue(OneDigit(now.constant().toDouble()))));
  return candidates;
}

}  // namespace culprit::minify
