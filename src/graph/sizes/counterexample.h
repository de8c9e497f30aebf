// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "graph/sizes/condition.h"
#include "graph/sizes/numbers.h"

namespace culprit::graph::sizes {

/// Sizes not too far from `hints` for which all of the conditions hold and one of the coincidences does not:
/// a world with these tells apart what is equal by chance in others. None of `tried`.
std::optional<Hints> Counterexample(const std::vector<Condition>& coincidences,
                                    const std::vector<Condition>& conditions, const Hints& hints,
                                    const std::set<Hints>& tried);

}  // namespace culprit::graph::sizes
