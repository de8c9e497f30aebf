// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/polynomial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace culprit::graph::sizes {
namespace {

/// The factors of a product, by name, sorted; nothing for a constant.
using Product = std::vector<std::string>;
/// How often each product is there; those that are not are left out.
using Polynomial = std::map<Product, int64_t>;
/// Nothing if it is too long, or its numbers are too large.
using Maybe = std::optional<Polynomial>;

constexpr size_t kMostTerms = 64;

bool AddTo(Polynomial& sum, const Product& product, int64_t times) {
  int64_t& factor = sum[product];
  if (__builtin_add_overflow(factor, times, &factor)) return false;
  if (factor == 0) sum.erase(product);
  return sum.size() <= kMostTerms;
}

Maybe Sum(const Polynomial& a, const Polynomial& b, int64_t sign) {
  Polynomial sum = a;
  for (const auto& [product, times] : b) {
    int64_t signed_times = 0;
    if (__builtin_mul_overflow(times, sign, &signed_times) || !AddTo(sum, product, signed_times))
      return std::nullopt;
  }
  return sum;
}

Maybe MultipliedOut(const Polynomial& a, const Polynomial& b) {
  Polynomial sum;
  for (const auto& [left, times] : a) {
    for (const auto& [right, more] : b) {
      Product product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::ranges::sort(product);
      int64_t factor = 0;
      if (__builtin_mul_overflow(times, more, &factor) || !AddTo(sum, product, factor)) return std::nullopt;
    }
  }
  return sum;
}

std::string TextOf(const Polynomial& polynomial) {
  std::string text;
  for (const auto& [product, times] : polynomial)
    text += fmt::format("{}{}*{}", text.empty() ? "" : "+", times, fmt::join(product, "*"));
  return text;
}

Maybe PolynomialOf(const Expression& expression);

Maybe Atom(const std::string& name) {
  return Polynomial{{{name}, 1}};
}

/// What is neither a sum nor a product.
Maybe AtomOf(const Expression& expression, const Polynomial& a, const Polynomial& b) {
  std::string left = TextOf(a);
  std::string right = TextOf(b);
  const bool can_turn =
      expression.operation() == Operation::kMinimum || expression.operation() == Operation::kMaximum;
  if (can_turn && right < left) std::swap(left, right);
  if (can_turn && left == right) return a;
  return Atom(fmt::format("{}({},{})", static_cast<int>(expression.operation()), left, right));
}

/// (16*s0 + 32)//16 is s0 + 2, and the rest is 0. Nothing if there is a rest that is not known.
Maybe DividedExactly(Operation operation, const Polynomial& a, const Polynomial& b) {
  if (b.size() != 1 || !b.begin()->first.empty()) return std::nullopt;
  const int64_t divisor = b.begin()->second;
  // What -1 makes of the least number is none.
  if (divisor == -1) return std::nullopt;
  Polynomial quotient;
  for (const auto& [product, times] : a) {
    if (times % divisor != 0) return std::nullopt;
    quotient[product] = times / divisor;
  }
  return operation == Operation::kFloorDivide ? quotient : Polynomial();
}

Maybe PolynomialOf(const Expression& expression) {
  switch (expression.kind()) {
    case Expression::Kind::kConstant:
      return expression.constant() == 0 ? Polynomial() : Polynomial{{{}, expression.constant()}};
    case Expression::Kind::kSymbol:
      return Atom(fmt::format("s{}", expression.symbol()));
    case Expression::Kind::kSize:
      return Atom(fmt::format("size({},{})", Index(expression.value()), expression.dimension()));
    case Expression::Kind::kOperation:
      break;
  }
  const Maybe a = PolynomialOf(expression.a());
  const Maybe b = PolynomialOf(expression.b());
  if (!a || !b) return std::nullopt;
  switch (expression.operation()) {
    case Operation::kAdd:
      return Sum(*a, *b, 1);
    case Operation::kSubtract:
      return Sum(*a, *b, -1);
    case Operation::kMultiply:
      return MultipliedOut(*a, *b);
    case Operation::kFloorDivide:
    case Operation::kModulo:
      if (Maybe exact = DividedExactly(expression.operation(), *a, *b)) return exact;
      break;
    default:
      break;
  }
  return AtomOf(expression, *a, *b);
}

}  // namespace

bool AlwaysEqual(const Expression& a, const Expression& b) {
  if (a == b) return true;
  const Maybe x = PolynomialOf(a);
  return x && x == PolynomialOf(b);
}

}  // namespace culprit::graph::sizes
