// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds/worlds.h"

#include <algorithm>
#include <array>

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

/// Beyond what programs clamp sizes to: the least, some, and so many that hardly anybody has a limit above.
std::vector<Hints> FarFrom(const Hints& hints) {
  constexpr std::array kFarApart = {1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049,
                                    1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097};
  constexpr int64_t kMultiple = 32;
  std::vector<Hints> worlds(4);
  for (size_t i = 0; i < hints.size(); ++i) {
    worlds[0].push_back(2 + static_cast<int64_t>(i % 2));
    worlds[1].push_back(3 * hints[i] + 1);
    worlds[2].push_back(kFarApart[i % kFarApart.size()]);
    // For programs that want multiples of something.
    worlds[3].push_back(kMultiple * hints[i]);
  }
  return worlds;
}

}  // namespace

Chosen ChooseWorlds(const Hints& hints, const TryWorld& try_world, const std::vector<Hints>& earlier) {
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
  size_t longest = 0;
  for (const Hints& others : left) longest = std::max(longest, others.size());
  for (size_t round = 1; kept < kWorldsOfAll && round <= 2 * longest + kWorldsOfAll; ++round) {
    Hints world;
    for (size_t symbol = 0; symbol < hints.size(); ++symbol)
      world.push_back(left[symbol][(round + symbol) % left[symbol].size()]);
    if (attempt(world)) ++kept;
  }
  if (kept < kWorldsOfAll) {
    chosen.rigid.push_back(hints.size() - 1);
    return chosen;
  }
  for (const Hints& world : FarFrom(hints)) attempt(world);
  for (const Hints& world : earlier) attempt(world);
  return chosen;
}

}  // namespace culprit::graph::sizes
