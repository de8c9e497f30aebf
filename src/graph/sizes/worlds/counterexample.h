// SPDX-License-Identifier: Apache-2.0
//
// Worlds that tell apart what is equal by chance in others:
//
//   (7 - s0 % 7) % 7 == 7 - s0 % 7     in all worlds so far, since none has a multiple of 7
//                                      a counterexample: s0 = 84
#pragma once

#include <optional>
#include <vector>

#include "graph/sizes/expressions/condition.h"
#include "graph/sizes/worlds/worlds.h"

namespace culprit::graph::sizes {

/// Sizes for which all of the conditions hold and one of the coincidences does not, not too far from the
/// worlds so far. `refused` are those with which the program has gone another way. Since ways change where
/// sizes become too large or too small,
/// - sizes between those of the worlds come first: the more coincidences they break, the better;
/// - farther away, the fewer they break, the better;
/// - none is beyond a refused one that has broken the same coincidences.
std::optional<Hints> Counterexample(const std::vector<Condition>& coincidences,
                                    const std::vector<Condition>& conditions,
                                    const std::vector<Hints>& worlds, const std::vector<Hints>& refused);

/// Adds such worlds, as long as it does not take too many attempts.
class Distinguisher {
 public:
  /// Whether there is one world more.
  bool AddWorld(const std::vector<Condition>& coincidences, const std::vector<Condition>& conditions,
                const TryWorld& try_world, std::vector<Hints>& worlds);

 private:
  static constexpr size_t kMostAttempts = 24;

  size_t attempts_ = 0;
  std::vector<Hints> refused_;
};

}  // namespace culprit::graph::sizes
