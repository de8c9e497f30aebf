// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/table.h"

#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

constexpr StrategyEntry kStrategies[] = {
    {"prefix", "the shortest beginning that fails, by bisection", true, &MakePrefix},
    {"gallop", "the last operator alone, then with those that feed it", true, &MakeGallop},
    {"suffix", "the shortest ending that fails, by bisection", true, &MakeSuffix},
    {"quickxplain", "the operators between the two ends that are needed", true, &MakeQuickXplain},
    {"drop", "one operator less", false, &MakeDrop},
};

}  // namespace

std::span<const StrategyEntry> AllStrategies() {
  return kStrategies;
}

}  // namespace culprit::minify::strategies
