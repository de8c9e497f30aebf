// SPDX-License-Identifier: Apache-2.0
//
// Random repros: a graph of random operators, or one whose inputs are as odd as inputs get, of every dtype
// and layout; some under inference mode, autocast, another default dtype, or a generator in mid-sequence.
#pragma once

#include <cstdint>

#include "repro/repro.h"

namespace culprit::tests {

/// The same seed gives the same repro. Of three in a row, one has a random graph and two have odd inputs.
repro::Repro MakeRandomRepro(uint64_t seed);

}  // namespace culprit::tests
