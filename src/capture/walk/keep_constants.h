// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capture/segment/segment.h"
#include "capture/walk/capture_effects.h"

namespace culprit::capture {

/// What is a constant in the program is one in the graph, since compilers do more with constants than with
/// inputs:
///
///   forward(x, c)                  forward(x)
///     add = add(x, c)        =>      add = add(x, c)     c is a tensor constant, and the same one later on
///
/// One that the graph writes into, or whose memory it may return, stays an input: then it matters which
/// tensor it is. `sizes` are those of the graph's values.
void KeepConstants(const vm::State& start, const CaptureEffects& effects, Segment& segment,
                   std::vector<std::vector<int64_t>>& sizes);

}  // namespace culprit::capture
