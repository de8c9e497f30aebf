// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds.h"

#include <algorithm>

namespace culprit::graph::sizes {
namespace {

/// What a size could be instead, most telling first. The later ones are for programs that want multiples of
/// something, or nothing larger.
Hints OthersFor(int64_t hint) {
  Hints others;
  for (const int64_t other : {hint + 1, hint + 3, hint + 8, 2 * hint, hint + 32, 3 * hint, hint + 64,
                              hint / 2, hint - 1, hint - 2, hint - 32}) {
    if (other >= 2 && other != hint && std::ranges::find(others, other) == others.end())
      others.push_back(other);
  }
  return others;
}

}  // namespace

Chosen ChooseWorlds(const Hints& hints, const TryWorld& try_world) {
  constexpr size_t kWorldsOfAll = 2;
  Chosen chosen;
  const auto attempt = [&](const Hints& world) {
    if (!try_world(world)) return false;
    chosen.worlds.push_back(world);
    return true;
  };
  if (!attempt(hints)) return chosen;

  std::vector<Hints> left;
  for (size_t symbol = 0; symbol < hints.size(); ++symbol) {
    const Hints others = OthersFor(hints[symbol]);
    const auto accepted = std::ranges::find_if(others, [&](int64_t other) {
      Hints world = hints;
      world[symbol] = other;
      return attempt(world);
    });
    if (accepted == others.end()) {
      chosen.rigid.push_back(symbol);
      return chosen;
    }
    // What was refused will be refused again.
    left.emplace_back(accepted, others.end());
  }

  // Symbols go through what is left at different paces, so that they are not all changed alike.
  size_t kept = 0;
  for (size_t round = 1; kept < kWorldsOfAll && round <= OthersFor(hints[0]).size() + kWorldsOfAll; ++round) {
    Hints world;
    for (size_t symbol = 0; symbol < hints.size(); ++symbol)
      world.push_back(left[symbol][(round + symbol) % left[symbol].size()]);
    if (attempt(world)) ++kept;
  }
  if (kept < kWorldsOfAll) chosen.rigid.push_back(hints.size() - 1);
  return chosen;
}

}  // namespace culprit::graph::sizes
