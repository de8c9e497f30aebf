// SPDX-License-Identifier: Apache-2.0
//
// A segment in words.
#pragma once

#include <string>
#include <vector>

#include "capture/segment/segment.h"

namespace culprit::capture {

/// The graph with the lines of the program that its operators come from.
graph::Graph WithModelLines(const Segment& segment);

/// "x is a float32 tensor of [2, 3]", in one line.
std::string DescribeGuard(const Guard& guard, const Segment& segment);

/// "x.size(0)", "x.stride(1)", "n".
std::string NameOf(const SymbolSource& place, const Segment& segment);

/// "s0 > 4, from net.py:12".
std::string DescribeCondition(const SizeCondition& condition);

/// All that has to hold so that the segment is used again: "grad mode is on, ...", then a line for each
/// guard, then what was decided by sizes.
std::vector<std::string> ConditionsOf(const Segment& segment);

}  // namespace culprit::capture
