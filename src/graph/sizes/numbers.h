// SPDX-License-Identifier: Apache-2.0
//
// What whole numbers are made of, found out by comparing worlds. A world is the same program once more, with
// other sizes for the symbols:
//
//                  s0   s1   x.size(0)*12     a number is known by its samples, one from each world:
//   world 0         8   10        96          [96, 108, 96, 156]  =>  12*s0
//   world 1         9   10       108          one world for each symbol, in which it alone is another
//   world 2         8   11        96
//   world 3        13   14       156          and some in which all are
//
// That two numbers are the same in all worlds and differ elsewhere is as good as impossible if the hints have
// nothing in common; still, whatever a program decides by numbers is guarded by what it is made of.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "graph/sizes/expression.h"

namespace culprit::graph::sizes {

/// Of each symbol, in one world.
using Hints = std::vector<int64_t>;
/// Of one number, in all worlds.
using Samples = std::vector<int64_t>;

bool IsSame(const Samples& samples);

class Numbers {
 public:
  /// The first world, then one for each symbol, then others.
  explicit Numbers(std::vector<Hints> worlds);

  size_t symbols() const { return worlds_[0].size(); }
  size_t worlds() const { return worlds_.size(); }
  const Hints& HintsOf(size_t world) const { return worlds_[world]; }
  Samples SamplesOf(size_t symbol) const;
  /// Of an expression with symbols only; nothing if it cannot be computed in some world.
  std::optional<Samples> SamplesOf(const Expression& expression) const;

  /// What a program has computed. The first one stays.
  void Know(const Samples& samples, const Expression& expression) { known_.emplace(samples, expression); }
  /// What is right as well, but long: better asked a tensor for.
  void KnowFormula(const Samples& samples, const Expression& expression) {
    formulas_.emplace(samples, expression);
  }

  /// A constant, something known, or a sum of multiples of symbols.
  std::optional<Expression> Find(const Samples& samples) const;
  /// The same, or a formula. What comes out has symbols only.
  std::optional<Expression> FindInSymbols(const Samples& samples) const;

  /// The symbols without which it is the same everywhere.
  std::vector<size_t> SymbolsIn(const Samples& samples) const;

  /// Whether the expression, which has symbols only, has these samples.
  bool Has(const Expression& expression, const Samples& samples) const {
    return SamplesOf(expression) == samples;
  }

 private:
  std::optional<Expression> SumOfMultiples(const Samples& samples) const;

  std::vector<Hints> worlds_;
  std::map<Samples, Expression> known_;
  std::map<Samples, Expression> formulas_;
};

}  // namespace culprit::graph::sizes
