// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/counterexample.h"

#include <algorithm>
#include <random>

namespace culprit::graph::sizes {
namespace {

/// The same ones in every process, so that ranks find the same.
class Candidates {
 public:
  explicit Candidates(const Hints& hints) : hints_(hints) {}

  /// Most sizes stay, since it is easier to be alike so.
  Hints Next() {
    Hints next = hints_;
    const size_t first = Draw(next.size());
    for (size_t i = 0; i < next.size(); ++i) {
      if (i == first || Draw(3) == 0) next[i] = Near(next[i]);
    }
    return next;
  }

 private:
  size_t Draw(size_t below) { return random_() % below; }

  int64_t Near(int64_t hint) {
    constexpr int64_t kBelow = 16;
    constexpr size_t kWidth = 64;
    const int64_t other = Draw(4) == 0 ? hint * static_cast<int64_t>(2 + Draw(8))
                                       : hint - kBelow + static_cast<int64_t>(Draw(kWidth));
    return std::max<int64_t>(other, 2);
  }

  const Hints& hints_;
  std::mt19937 random_{20'201};
};

bool HoldsAll(const std::vector<Condition>& conditions, const Hints& hints) {
  return std::ranges::all_of(conditions, [&](const Condition& each) { return Holds(each, hints); });
}

}  // namespace

std::optional<Hints> Counterexample(const std::vector<Condition>& coincidences,
                                    const std::vector<Condition>& conditions, const Hints& hints,
                                    const std::set<Hints>& tried) {
  constexpr int kCandidates = 500;
  if (coincidences.empty()) return std::nullopt;
  Candidates candidates(hints);
  for (int i = 0; i < kCandidates; ++i) {
    const Hints candidate = candidates.Next();
    if (!HoldsAll(coincidences, candidate) && HoldsAll(conditions, candidate) && !tried.contains(candidate))
      return candidate;
  }
  return std::nullopt;
}

}  // namespace culprit::graph::sizes
