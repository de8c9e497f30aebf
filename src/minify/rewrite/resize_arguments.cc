// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/resize_arguments.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>

namespace culprit::minify {
namespace {

using graph::Argument;
using SizeMap = std::map<int64_t, int64_t>;

int64_t Product(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

int64_t MappedSize(const SizeMap& sizes, int64_t size) {
  const auto found = sizes.find(size);
  return found == sizes.end() ? size : found->second;
}

std::optional<Sizes> IntsOf(const Argument& argument) {
  if (!argument.is_list()) return std::nullopt;
  Sizes ints;
  for (const Argument& element : argument.list()) {
    if (!element.is_constant() || !element.constant().isInt()) return std::nullopt;
    ints.push_back(element.constant().toInt());
  }
  return ints;
}

Argument Int(int64_t number) {
  return Argument(c10::IValue(number));
}

/// Factors that are as much as possible what they were, with this product.
Sizes Factors(std::span<const int64_t> before, int64_t product, const SizeMap& sizes) {
  Sizes mapped;
  for (const int64_t size : before) mapped.push_back(MappedSize(sizes, size));
  if (Product(mapped) == product) return mapped;
  Sizes factors;
  for (const int64_t size : before) {
    factors.push_back(std::gcd(size, product));
    product /= std::max<int64_t>(factors.back(), 1);
  }
  factors.back() *= product;
  return factors;
}

/// What the size has become: that of an operand's dimension, of any other, or of several dimensions of an
/// operand together.
int64_t ResizedSize(const ResizedCall& call, int64_t size) {
  for (const auto& operand : call.operands) {
    if (!operand || operand->before.size() != operand->now.size()) continue;
    const auto dim = std::ranges::find(operand->before, size) - operand->before.begin();
    if (dim < static_cast<int64_t>(operand->before.size())) return operand->now[dim];
  }
  if (const auto found = call.sizes.find(size); found != call.sizes.end()) return found->second;
  for (const auto& operand : call.operands) {
    if (!operand || operand->before.size() != operand->now.size()) continue;
    for (size_t from = 0; from < operand->before.size(); ++from) {
      for (size_t count = 2; from + count <= operand->before.size(); ++count) {
        if (Product(std::span(operand->before).subspan(from, count)) == size)
          return Product(std::span(operand->now).subspan(from, count));
      }
    }
  }
  return size;
}

class ArgumentResizer {
 public:
  ArgumentResizer(graph::Node& node, const ResizedCall& call) : node_(node), call_(call) {}

  void Run() {
    for (size_t i = 0; i < node_.arguments.size(); ++i) Resize(i, node_.op->schema().arguments()[i].name());
  }

 private:
  const std::optional<ResizedOperand>& self() const { return call_.operands[0]; }

  void Resize(size_t i, const std::string& name) {
    Argument& argument = node_.arguments[i];
    if (const std::optional<Sizes> ints = IntsOf(argument)) {
      if (std::ranges::count(kSizeLists, name) > 0) argument = Argument::Ints(ResizeList(*ints, name));
    } else if (argument.is_constant() && argument.constant().isInt()) {
      argument = Int(ResizeInt(argument.constant().toInt(), name));
    }
  }

  Sizes ResizeList(const Sizes& list, std::string_view name) const {
    if (name == "split_sizes" || name == "split_size") return ResizedParts(list);
    const bool is_view = std::ranges::count(kViews, node_.op->name()) > 0;
    if (is_view && self()) return ResizedView(*self(), list, call_.sizes);
    Sizes resized;
    for (const int64_t size : list) resized.push_back(size < 0 ? size : ResizedSize(call_, size));
    if (!self()) return resized;
    // These are the last dimensions of the operand.
    const bool is_end = name == "normalized_shape" && list.size() <= self()->now.size();
    if (is_end) std::ranges::copy_backward(std::span(self()->now).last(list.size()), resized.end());
    return resized;
  }

  int64_t ResizeInt(int64_t number, std::string_view name) const {
    if (name == "groups") return Groups(number);
    const bool is_norm = self() && self()->now.size() > 1;
    if (is_norm && (name == "num_groups" || name == "group")) return std::gcd(number, self()->now[1]);
    if (name == "split_size") return std::max<int64_t>(1, Scaled(number));
    if (name == "index" || name == "start") return InRange(number);
    return std::ranges::count(kSizeNames, name) > 0 ? ResizedSize(call_, number) : number;
  }

  /// As many as the channels of the input are times those that the weight wants.
  int64_t Groups(int64_t number) const {
    const auto& weight = call_.operands.size() > 1 ? call_.operands[1] : call_.operands[0];
    if (!self() || !weight || self()->now.size() < 2 || weight->now.size() < 2) return number;
    const int64_t channels = self()->now[1], wanted = std::max<int64_t>(weight->now[1], 1);
    return channels % wanted == 0 && number > 1 ? channels / wanted : number;
  }

  /// The dimension that the call works along, before and now.
  std::pair<int64_t, int64_t> Along() const {
    int64_t dim = 0;
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      const bool is_dim = node_.op->schema().arguments()[i].name() == "dim" &&
                          node_.arguments[i].is_constant() && node_.arguments[i].constant().isInt();
      if (is_dim) dim = node_.arguments[i].constant().toInt();
    }
    if (!self() || self()->before.size() != self()->now.size()) return {1, 1};
    const auto rank = static_cast<int64_t>(self()->now.size());
    if (dim < 0) dim += rank;
    if (dim < 0 || dim >= rank) return {1, 1};
    return {std::max<int64_t>(self()->before[dim], 1), self()->now[dim]};
  }

  int64_t Scaled(int64_t number) const {
    const auto [before, now] = Along();
    return number * now / before;
  }

  int64_t InRange(int64_t number) const {
    const auto [before, now] = Along();
    return before == now || number < now ? number : number * now / before;
  }

  Sizes ResizedParts(const Sizes& parts) const {
    const auto [before, now] = Along();
    if (before == now || parts.empty()) return parts;
    Sizes resized;
    for (const int64_t part : parts) resized.push_back(std::max<int64_t>(1, part * now / before));
    resized.back() += now - std::reduce(resized.begin(), resized.end());
    return resized;
  }

  static constexpr std::string_view kSizeLists[] = {
      "size",       "sizes",       "shape",      "normalized_shape", "split_sizes",
      "split_size", "output_size", "input_size", "input_sizes",      "self_sizes"};
  static constexpr std::string_view kSizeNames[] = {"end", "length",      "N",    "C",           "HxW",
                                                    "k",   "num_weights", "size", "num_classes", "n"};
  static constexpr std::string_view kViews[] = {"aten::view", "aten::reshape", "aten::_unsafe_view",
                                                "aten::view_copy"};

  graph::Node& node_;
  const ResizedCall& call_;
};

}  // namespace

Sizes ResizedView(const ResizedOperand& operand, const Sizes& view, const SizeMap& sizes) {
  if (operand.before == operand.now || operand.before.size() != operand.now.size()) return view;
  Sizes full = view;
  const auto unknown = std::ranges::find(full, -1);
  if (unknown != full.end()) {
    *unknown = 1;
    *unknown = Product(operand.before) / std::max<int64_t>(Product(full), 1);
  }
  // Runs of dimensions with the same product on both sides correspond.
  Sizes resized;
  size_t from = 0, operand_from = 0;
  while (from < full.size()) {
    size_t end = from + 1, operand_end = std::min(operand_from + 1, operand.before.size());
    const auto product = [&] { return Product(std::span(full).subspan(from, end - from)); };
    const auto wanted = [&] {
      return Product(std::span(operand.before).subspan(operand_from, operand_end - operand_from));
    };
    while (product() != wanted()) {
      if (product() < wanted() && end < full.size()) {
        ++end;
      } else if (operand_end < operand.before.size()) {
        ++operand_end;
      } else {
        return view;
      }
    }
    const int64_t now = Product(std::span(operand.now).subspan(operand_from, operand_end - operand_from));
    const Sizes factors = Factors(std::span(full).subspan(from, end - from), now, sizes);
    resized.insert(resized.end(), factors.begin(), factors.end());
    from = end;
    operand_from = operand_end;
  }
  if (unknown != full.end()) resized[unknown - full.begin()] = -1;
  return resized;
}

void ResizeArguments(graph::Node& node, const ResizedCall& call) {
  if (call.operands.empty()) return;
  ArgumentResizer(node, call).Run();
}

}  // namespace culprit::minify
