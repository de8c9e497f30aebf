// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds/counterexample.h"

#include <algorithm>
#include <random>

namespace culprit::graph::sizes {
namespace {

/// The least and the largest of each size in the worlds.
struct Span {
  Hints least;
  Hints largest;
};

Span SpanOf(const std::vector<Hints>& worlds) {
  Span span{worlds[0], worlds[0]};
  for (const Hints& world : worlds) {
    for (size_t i = 0; i < world.size(); ++i) {
      span.least[i] = std::min(span.least[i], world[i]);
      span.largest[i] = std::max(span.largest[i], world[i]);
    }
  }
  return span;
}

bool Lies(const Hints& hints, const Span& within) {
  for (size_t i = 0; i < hints.size(); ++i) {
    if (hints[i] < within.least[i] || hints[i] > within.largest[i]) return false;
  }
  return true;
}

/// The same ones in every process, so that ranks find the same.
class Candidates {
 public:
  Candidates(const Hints& hints, const Span& span) : hints_(hints), span_(span) {}

  std::vector<Hints> All() {
    constexpr int kDrawn = 500;
    std::vector<Hints> all = OneByOne();
    for (int i = 0; i < kDrawn; ++i) all.push_back(i % 2 == 0 ? Between() : Near());
    return all;
  }

 private:
  /// One size is another one, nearest first: among so many, each remainder of a division by a number that is
  /// not large comes up.
  std::vector<Hints> OneByOne() const {
    constexpr int64_t kReach = 64;
    std::vector<Hints> all;
    for (int64_t distance = 1; distance <= kReach; ++distance) {
      for (size_t i = 0; i < hints_.size(); ++i) {
        for (const int64_t other : {hints_[i] - distance, hints_[i] + distance}) {
          if (other < 2) continue;
          all.push_back(hints_);
          all.back()[i] = other;
        }
      }
    }
    return all;
  }

  Hints Between() {
    Hints hints;
    for (size_t i = 0; i < hints_.size(); ++i)
      hints.push_back(span_.least[i] + Draw(span_.largest[i] - span_.least[i] + 1));
    return hints;
  }

  /// Most sizes stay, since it is easier to be alike so.
  Hints Near() {
    Hints near = hints_;
    const auto first = static_cast<size_t>(Draw(static_cast<int64_t>(near.size())));
    for (size_t i = 0; i < near.size(); ++i) {
      if (i == first || Draw(3) == 0) near[i] = Near(near[i]);
    }
    return near;
  }

  int64_t Near(int64_t hint) {
    constexpr int64_t kBelow = 16;
    constexpr int64_t kWidth = 64;
    return std::max<int64_t>(Draw(4) == 0 ? hint * (2 + Draw(8)) : hint - kBelow + Draw(kWidth), 2);
  }

  int64_t Draw(int64_t below) { return static_cast<int64_t>(random_()) % below; }

  const Hints& hints_;
  const Span& span_;
  std::mt19937 random_{20'201};
};

bool HoldsAll(const std::vector<Condition>& conditions, const Hints& hints) {
  return std::ranges::all_of(conditions, [&](const Condition& each) { return Holds(each, hints); });
}

/// Of each coincidence, whether it does not hold.
using Broken = std::vector<bool>;

Broken BrokenBy(const Hints& hints, const std::vector<Condition>& coincidences) {
  Broken broken;
  for (const Condition& each : coincidences) broken.push_back(!Holds(each, hints));
  return broken;
}

struct RefusedWorld {
  Hints hints;
  Broken broken;
};

bool IsBeyond(const Hints& hints, const Broken& broken, const RefusedWorld& refused, const Hints& from) {
  if (!Lies(refused.hints, SpanOf({from, hints}))) return false;
  bool breaks_any = false;
  for (size_t i = 0; i < broken.size(); ++i) {
    if (refused.broken[i] && !broken[i]) return false;
    breaks_any = breaks_any || refused.broken[i];
  }
  return breaks_any;
}

}  // namespace

std::optional<Hints> Counterexample(const std::vector<Condition>& coincidences,
                                    const std::vector<Condition>& conditions,
                                    const std::vector<Hints>& worlds, const std::vector<Hints>& refused) {
  if (coincidences.empty()) return std::nullopt;
  const Span span = SpanOf(worlds);
  std::vector<RefusedWorld> refused_worlds;
  refused_worlds.reserve(refused.size());
  for (const Hints& each : refused) refused_worlds.push_back({each, BrokenBy(each, coincidences)});
  std::optional<Hints> best;
  std::pair<bool, std::ptrdiff_t> best_merit;
  for (const Hints& candidate : Candidates(worlds[0], span).All()) {
    if (!HoldsAll(conditions, candidate) || std::ranges::find(refused, candidate) != refused.end()) continue;
    const Broken broken = BrokenBy(candidate, coincidences);
    const auto count = std::ranges::count(broken, true);
    const bool is_between = Lies(candidate, span);
    const std::pair merit(is_between, is_between ? count : -count);
    if (count == 0 || (best && merit <= best_merit)) continue;
    const bool is_hopeless = std::ranges::any_of(refused_worlds, [&](const RefusedWorld& each) {
      return IsBeyond(candidate, broken, each, worlds[0]);
    });
    if (is_hopeless) continue;
    best = candidate;
    best_merit = merit;
  }
  return best;
}

bool Distinguisher::AddWorld(const std::vector<Condition>& coincidences,
                             const std::vector<Condition>& conditions, const TryWorld& try_world,
                             std::vector<Hints>& worlds) {
  for (; attempts_ < kMostAttempts; ++attempts_) {
    const std::optional<Hints> other = Counterexample(coincidences, conditions, worlds, refused_);
    if (!other) return false;
    if (try_world(*other)) {
      worlds.push_back(*other);
      ++attempts_;
      return true;
    }
    refused_.push_back(*other);
  }
  return false;
}

}  // namespace culprit::graph::sizes
