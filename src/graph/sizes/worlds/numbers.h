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
// Two numbers may be the same in all worlds and differ elsewhere: min(s0, 20) is s0 as long as nobody tries
// 21. Of what the program has computed itself that is known, and becomes a condition. Of sizes that operators
// make it is not, so what was found out is compared with the program before it is used for sizes for the
// first time (graph/sizes/generalise/disagreement.h).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/sizes/expressions/expression.h"

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
  void Know(const Samples& samples, const Expression& expression);
  /// What is right as well, but long: better asked a tensor for.
  void KnowFormula(const Samples& samples, const Expression& expression);

  /// Expressions that have the same samples, one of which will be taken for the other.
  struct Coincidence {
    Expression computed;
    Expression taken;
  };
  /// Those that have come up since they were last asked for, without what is equal for all sizes.
  std::vector<Coincidence> TakeCoincidences() { return std::exchange(coincidences_, {}); }

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
  void NoteCoincidence(const Expression& computed, const Expression& taken);

  std::vector<Hints> worlds_;
  std::map<Samples, Expression> known_;
  std::map<Samples, Expression> formulas_;
  std::vector<Coincidence> coincidences_;
};

}  // namespace culprit::graph::sizes
