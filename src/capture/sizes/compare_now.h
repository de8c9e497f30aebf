// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/segment/segment.h"
#include "capture/walk/walk.h"

namespace culprit::capture {

/// What was said of all sizes was found out by samples. Before a segment is used for sizes for the first
/// time, the program is walked through once more, with these: it has to go the same way, and every number of
/// the graph and of the plan has to be what the segment computes. Otherwise, what differs.
///
/// The segment fits the state, and `found` is what its guards have found.
std::optional<std::string> CompareNow(const Segment& segment, const vm::State& state,
                                      const std::vector<const c10::IValue*>& found, vm::CodeBook& book,
                                      const WalkOptions& options);

}  // namespace culprit::capture
