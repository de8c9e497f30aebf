// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/find_number.h"

#include <algorithm>
#include <numeric>

namespace culprit::graph::sizes {
namespace {

/// `samples` as a multiple or a part of `whole`, the same one everywhere.
std::optional<Expression> Scaled(const Samples& samples, const Samples& whole, const Expression& expression) {
  if (whole[0] == 0 || samples[0] == 0) return std::nullopt;
  const int64_t common = std::gcd(samples[0], whole[0]);
  const int64_t times = samples[0] / common;
  const int64_t parts = whole[0] / common;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (static_cast<__int128>(samples[i]) * parts != static_cast<__int128>(whole[i]) * times)
      return std::nullopt;
  }
  const Expression scaled = Expression::Constant(times) * expression;
  return Expression::Of(Operation::kFloorDivide, scaled, Expression::Constant(parts));
}

/// Nothing if it is too large.
std::optional<Samples> Multiply(const Samples& a, const Samples& b) {
  Samples product(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (__builtin_mul_overflow(a[i], b[i], &product[i])) return std::nullopt;
  }
  return product;
}

}  // namespace

NumberFinder::NumberFinder(const std::vector<const SizedGraph*>& worlds, const Numbers& numbers,
                           size_t readable)
    : worlds_(worlds), numbers_(numbers) {
  const std::vector<Placeholder>& placeholders = worlds[0]->graph.placeholders();
  for (size_t i = 0; i < std::min(readable, placeholders.size()); ++i) AddValue(placeholders[i].value);
}

void NumberFinder::AddValue(ValueId value) {
  for (size_t i = 0; i < worlds_[0]->sizes[Index(value)].size(); ++i) {
    const Samples samples = SizeIn(worlds_, value, i);
    if (!IsSame(samples)) sizes_.emplace(samples, Expression::Size(value, static_cast<int64_t>(i)));
  }
}

void NumberFinder::Add(NodeId node) {
  for (const ValueId result : worlds_[0]->graph.node(node).results) AddValue(result);
}

std::vector<NumberFinder::Factor> NumberFinder::FactorsFor(NodeId node) const {
  std::vector<Factor> factors;
  for (size_t symbol = 0; symbol < numbers_.symbols(); ++symbol)
    factors.push_back({numbers_.SamplesOf(symbol), Expression::Symbol(symbol)});
  const auto add = [&](ValueId value) {
    for (size_t i = 0; i < worlds_[0]->sizes[Index(value)].size(); ++i) {
      const Samples samples = SizeIn(worlds_, value, i);
      if (IsSame(samples)) continue;
      if (const std::optional<Expression> size = SizeOf(samples)) factors.push_back({samples, *size});
    }
  };
  for (const Argument& argument : worlds_[0]->graph.node(node).arguments) ForEachValue(argument, add);
  return factors;
}

std::optional<Expression> NumberFinder::Product(const Samples& samples,
                                                const std::vector<Factor>& factors) const {
  for (const Factor& one : factors) {
    if (auto scaled = Scaled(samples, one.samples, one.expression)) return scaled;
  }
  for (size_t i = 0; i < factors.size(); ++i) {
    for (size_t k = i; k < factors.size(); ++k) {
      const std::optional<Samples> product = Multiply(factors[i].samples, factors[k].samples);
      if (!product) continue;
      if (auto scaled = Scaled(samples, *product, factors[i].expression * factors[k].expression))
        return scaled;
    }
  }
  return std::nullopt;
}

/// Parts of all elements of a tensor, as flattening and averaging want them.
std::optional<Expression> NumberFinder::WholeTensor(const Samples& samples, NodeId node) const {
  std::optional<Expression> found;
  const auto look = [&](ValueId value) {
    Samples product(worlds_.size(), 1);
    Expression expression = Expression::Constant(1);
    for (size_t i = 0; i < worlds_[0]->sizes[Index(value)].size() && !found; ++i) {
      const Samples size = SizeIn(worlds_, value, i);
      const std::optional<Samples> next = Multiply(product, size);
      if (!next) return;
      product = *next;
      const std::optional<Expression> factor = SizeOf(size);
      if (!factor) return;
      expression = expression * *factor;
    }
    if (!found) found = Scaled(samples, product, expression);
  };
  for (const Argument& argument : worlds_[0]->graph.node(node).arguments) ForEachValue(argument, look);
  return found;
}

std::optional<Expression> NumberFinder::SizeOf(const Samples& samples) const {
  if (std::optional<Expression> known = numbers_.Find(samples)) return known;
  const auto size = sizes_.find(samples);
  return size == sizes_.end() ? std::nullopt : std::optional(size->second);
}

/// Backward cuts off what forward has padded with.
std::optional<Expression> NumberFinder::Negated(const Samples& samples) const {
  if (std::ranges::max(samples) > 0) return std::nullopt;
  Samples positive;
  for (const int64_t sample : samples) positive.push_back(-sample);
  const std::optional<Expression> known = numbers_.FindInSymbols(positive);
  if (!known) return std::nullopt;
  return Expression::Of(Operation::kSubtract, Expression::Constant(0), *known);
}

std::optional<Expression> NumberFinder::Find(const Samples& samples, NodeId node,
                                             const std::vector<Factor>& siblings) const {
  if (std::optional<Expression> size = SizeOf(samples)) return size;
  if (std::optional<Expression> negated = Negated(samples)) return negated;
  if (std::optional<Expression> formula = numbers_.FindInSymbols(samples)) return formula;
  std::vector<Factor> factors = FactorsFor(node);
  factors.insert(factors.end(), siblings.begin(), siblings.end());
  if (std::optional<Expression> product = Product(samples, factors)) return product;
  return WholeTensor(samples, node);
}

}  // namespace culprit::graph::sizes
