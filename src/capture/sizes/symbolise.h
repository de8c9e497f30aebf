// SPDX-License-Identifier: Apache-2.0
//
// One segment for all sizes: the program is walked through again with other sizes, and what the walks have in
// common is kept (graph/sizes/worlds/numbers.h).
//
//   guards      x is a float32 tensor of [s0, 3, s1, s1]
//   conditions  s0 > 4, from net.py:12
//   graph       numbers that depend on sizes are computed from them
//   plan        so are numbers that the program keeps
//
// Sizes of which something depends that cannot be said like this stay numbers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "capture/segment/segment.h"
#include "capture/walk/walk.h"

namespace culprit::capture {

/// Sizes, strides and numbers of the program's values that differ from call to call, in the order of their
/// symbols; those with the same symbol are equal.
using Varying = std::vector<SymbolSource>;

/// What these were at earlier captures, which is worth a try.
using EarlierSizes = std::function<std::vector<graph::sizes::Hints>(const Varying&)>;

/// `base` is what a walk from `start` has made. Nothing if all of these have to be numbers; why is added to
/// the `fixed_sizes` of `base`.
std::optional<Segment> Symbolise(const vm::State& start, vm::CodeBook& book, const WalkOptions& options,
                                 Segment& base, Varying varying, const EarlierSizes& earlier = nullptr);

/// The same with the first of these choices for which no size has to be a number, or else with the first one
/// that has symbols at all.
std::optional<Segment> SymboliseBest(const vm::State& start, vm::CodeBook& book, const WalkOptions& options,
                                     Segment& base, const std::vector<Varying>& choices,
                                     const EarlierSizes& earlier = nullptr);

}  // namespace culprit::capture
