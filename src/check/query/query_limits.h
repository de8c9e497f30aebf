// SPDX-License-Identifier: Apache-2.0
//
// What a query may take if nobody says otherwise: the same for all, and more for a graph that takes much by
// itself. The first run of eager tells (announce_phases.h); with one of a millisecond a hang is a hang after
// the usual time.
#pragma once

#include <cstdint>

#include "isolate/query/limits.h"

namespace culprit::check {

/// A check runs eager twice, and up to four times more to measure noise; in float64, and compiled, a graph
/// may take several times as long.
inline constexpr int kTimesEagersTime = 15;

/// The tensors of a check take at most three times what a run takes (same_two_models.h: no inputs and no
/// outputs are larger than the run that has them); what compilers take is their own.
inline constexpr int kTimesEagersMemory = 4;

isolate::Limits QueryLimits();

/// What a graph or a file can make of the limit of memory: three quarters of the machine's, or the usual
/// limit.
uint64_t MostMemoryOfAQuery();

}  // namespace culprit::check
