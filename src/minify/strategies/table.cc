// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/table.h"

#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

constexpr StrategyEntry kStrategies[] = {
    {"hoist", "what random operators draw becomes inputs", Use::kOnce, &MakeHoist, Likely::kFails},
    // Both show an operator that is wrong by itself with the same number of questions; only instrument shows
    // a pattern of several.
    {"instrument", "all tensors shown; from the first wrong one backwards", Use::kOnceForNumbers,
     &MakeInstrument},
    {"explode", "all operators in one program, each alone; the first wrong one", Use::kOnceForNumbers,
     &MakeExplode},
    {"prefix", "the shortest beginning that fails, by bisection", Use::kOnce, &MakePrefix, Likely::kEither},
    {"gallop", "the last operator alone, then with those that feed it", Use::kOnce, &MakeGallop,
     Likely::kEither},
    {"suffix", "the shortest ending that fails, by bisection", Use::kOnce, &MakeSuffix, Likely::kEither},
    {"quickxplain", "the operators between the two ends that are needed", Use::kOnce, &MakeQuickXplain,
     Likely::kEither},
    {"drop", "one operator less", Use::kAlways, &MakeDrop},
    {"bypass", "one operator less, an operand in the place of its result", Use::kAlways, &MakeBypass},
    {"simplify", "a simpler operator of the same signature", Use::kAlways, &MakeSimplifyOperators},
    {"fold", "a constant in the place of operators that compute with constants only", Use::kAlways,
     &MakeFold},
    {"outputs", "fewer outputs, and what only they need", Use::kAlways, &MakeOutputs},
    {"inputs", "without unused inputs; equal ones as one; numbers in the calls", Use::kAlways, &MakeInputs},
    {"unfreeze", "weights and constants as inputs", Use::kAlways, &MakeUnfreeze},
    {"numbers", "one-element tensors as numbers in the calls", Use::kAlways, &MakeNumbers},
    {"shapes", "smaller sizes, by slicing what was recorded", Use::kAlways, &MakeShapes, Likely::kFails},
    {"attributes", "simpler strides, paddings, scalars, switches", Use::kAlways, &MakeAttributes},
    {"dtypes", "float32 and int32 in the place of other dtypes", Use::kAlways, &MakeDtypes},
    {"values", "zeros, ones, small integers, numbers from a seed, rounded ones", Use::kAlways, &MakeValues,
     Likely::kFails},
};

}  // namespace

std::span<const StrategyEntry> AllStrategies() {
  return kStrategies;
}

}  // namespace culprit::minify::strategies
