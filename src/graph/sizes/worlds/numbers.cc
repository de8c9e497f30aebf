// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds/numbers.h"

#include <algorithm>

#include "base/internal_error.h"
#include "graph/sizes/expressions/polynomial.h"

namespace culprit::graph::sizes {

bool IsSame(const Samples& samples) {
  return std::ranges::all_of(samples, [&](int64_t sample) { return sample == samples[0]; });
}

Numbers::Numbers(std::vector<Hints> worlds) : worlds_(std::move(worlds)) {
  CULPRIT_CHECK(worlds_.size() > symbols(), "{} worlds are too few for {} symbols", worlds_.size(),
                symbols());
  for (size_t symbol = 0; symbol < symbols(); ++symbol)
    known_.emplace(SamplesOf(symbol), Expression::Symbol(symbol));
}

void Numbers::NoteCoincidence(const Expression& computed, const Expression& taken) {
  if (!AlwaysEqual(computed, taken)) coincidences_.push_back({computed, taken});
}

void Numbers::Know(const Samples& samples, const Expression& expression) {
  if (const std::optional<Expression> taken = Find(samples)) return NoteCoincidence(expression, *taken);
  known_.emplace(samples, expression);
}

void Numbers::KnowFormula(const Samples& samples, const Expression& expression) {
  if (const std::optional<Expression> taken = FindInSymbols(samples))
    return NoteCoincidence(expression, *taken);
  formulas_.emplace(samples, expression);
}

Samples Numbers::SamplesOf(size_t symbol) const {
  Samples samples;
  for (const Hints& hints : worlds_) samples.push_back(hints[symbol]);
  return samples;
}

std::optional<Expression> Numbers::Find(const Samples& samples) const {
  if (IsSame(samples)) return Expression::Constant(samples[0]);
  const auto known = known_.find(samples);
  return known != known_.end() ? std::optional(known->second) : SumOfMultiples(samples);
}

std::optional<Expression> Numbers::FindInSymbols(const Samples& samples) const {
  if (std::optional<Expression> found = Find(samples); found && found->HasSymbolsOnly()) return found;
  const auto formula = formulas_.find(samples);
  return formula == formulas_.end() ? std::nullopt : std::optional(formula->second);
}

/// World i + 1 says what symbol i does; the others decide whether that is all.
std::optional<Expression> Numbers::SumOfMultiples(const Samples& samples) const {
  Expression sum = Expression::Constant(0);
  __int128 rest = samples[0];
  for (size_t symbol = 0; symbol < symbols(); ++symbol) {
    const int64_t step = worlds_[symbol + 1][symbol] - worlds_[0][symbol];
    const __int128 change = static_cast<__int128>(samples[symbol + 1]) - samples[0];
    if (change % step != 0) return std::nullopt;
    const auto factor = static_cast<int64_t>(change / step);
    rest -= static_cast<__int128>(factor) * worlds_[0][symbol];
    sum = sum + Expression::Constant(factor) * Expression::Symbol(symbol);
  }
  if (rest > INT64_MAX || rest < INT64_MIN) return std::nullopt;
  sum = sum + Expression::Constant(static_cast<int64_t>(rest));
  return Has(sum, samples) ? std::optional(sum) : std::nullopt;
}

std::optional<Samples> Numbers::SamplesOf(const Expression& expression) const {
  Samples samples;
  for (const Hints& hints : worlds_) {
    const std::optional<int64_t> sample = Evaluate(expression, hints);
    if (!sample) return std::nullopt;
    samples.push_back(*sample);
  }
  return samples;
}

std::vector<size_t> Numbers::SymbolsIn(const Samples& samples) const {
  std::vector<size_t> found;
  for (size_t symbol = 0; symbol < symbols(); ++symbol) {
    if (samples[symbol + 1] != samples[0]) found.push_back(symbol);
  }
  return found;
}

}  // namespace culprit::graph::sizes
