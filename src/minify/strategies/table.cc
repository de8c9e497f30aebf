// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/table.h"

#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

constexpr StrategyEntry kStrategies[] = {
    {"hoist", "what random operators draw becomes inputs", Use::kOnce, &MakeHoist, &BoundOfHoist},
    // Both show an operator that is wrong by itself with the same number of questions; only instrument shows
    // a pattern of several.
    {"instrument", "all tensors shown; from the first wrong one backwards", Use::kOnceForNumbers,
     &MakeInstrument, &BoundOfInstrument},
    {"explode", "all operators in one program, each alone; the first wrong one", Use::kOnceForNumbers,
     &MakeExplode, &BoundOfExplode},
    {"prefix", "the shortest beginning that fails, by bisection", Use::kOnce, &MakePrefix, &BoundOfEnd},
    {"gallop", "the last operator alone, then with those that feed it", Use::kOnce, &MakeGallop,
     &BoundOfGallop},
    {"suffix", "the shortest ending that fails, by bisection", Use::kOnce, &MakeSuffix, &BoundOfEnd},
    {"quickxplain", "the operators between the two ends that are needed", Use::kOnce, &MakeQuickXplain,
     &BoundOfQuickXplain},
    {"drop", "one operator less", Use::kAlways, &MakeDrop, &BoundOfDrop},
    {"bypass", "one operator less, an operand in the place of its result", Use::kAlways, &MakeBypass,
     &BoundOfBypass},
    {"simplify", "a simpler operator of the same signature", Use::kAlways, &MakeSimplifyOperators,
     &BoundOfSimplifyOperators},
    {"fold", "a constant in the place of operators that compute with constants only", Use::kAlways, &MakeFold,
     &BoundOfFold},
    {"outputs", "fewer outputs, and what only they need", Use::kAlways, &MakeOutputs, &BoundOfOutputs},
    {"inputs", "without unused inputs; equal ones as one; numbers in the calls", Use::kAlways, &MakeInputs,
     &BoundOfInputs},
    {"unfreeze", "weights and constants as inputs", Use::kAlways, &MakeUnfreeze, &BoundOfUnfreeze},
    {"numbers", "one-element tensors as numbers in the calls", Use::kAlways, &MakeNumbers, &BoundOfNumbers},
    {"shapes", "smaller sizes, by slicing what was recorded", Use::kAlways, &MakeShapes, &BoundOfShapes},
    {"attributes", "simpler strides, paddings, scalars, switches", Use::kAlways, &MakeAttributes,
     &BoundOfAttributes},
    {"dtypes", "float32 and int32 in the place of other dtypes", Use::kAlways, &MakeDtypes, &BoundOfDtypes},
    {"values", "zeros, ones, small integers, numbers from a seed, rounded ones", Use::kAlways, &MakeValues,
     &BoundOfValues},
};

}  // namespace

std::span<const StrategyEntry> AllStrategies() {
  return kStrategies;
}

}  // namespace culprit::minify::strategies
