// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "graph/sizes/worlds/numbers.h"

namespace culprit::graph::sizes {

/// Computes a world, keeps it, and says whether it is like the first one but for numbers. It is first asked
/// about the sizes as they are.
using TryWorld = std::function<bool(const Hints&)>;

struct Chosen {
  /// Those that were kept, in their order, as graph/sizes/worlds/numbers.h wants them.
  std::vector<Hints> worlds;
  /// Symbols that cannot be anything else than they are. If there are any, the worlds are not complete.
  std::vector<size_t> rigid;
};

/// For symbols with these hints, each at least 2. Hints of other worlds are odd and even, larger and smaller,
/// so that numbers that depend on them in different ways differ. Behind those that have to be there, worlds
/// are tried that are far away, and `earlier` ones, which have been met.
Chosen ChooseWorlds(const Hints& hints, const TryWorld& try_world, const std::vector<Hints>& earlier = {});

}  // namespace culprit::graph::sizes
