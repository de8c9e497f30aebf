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
    {"bypass", "one operator less, an operand in the place of its result", false, &MakeBypass},
    {"outputs", "fewer outputs, and what only they need", false, &MakeOutputs},
    {"inputs", "without unused inputs; equal ones as one; numbers in the calls", false, &MakeInputs},
};

}  // namespace

std::span<const StrategyEntry> AllStrategies() {
  return kStrategies;
}

}  // namespace culprit::minify::strategies
