// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "capture/sizes/size_history.h"

namespace culprit::capture {

/// Which marks mean nothing for the values that a segment looks at, and why: "x.size(7) is marked, but x has
/// 2 dimensions".
std::vector<std::string> IgnoredMarks(const Segment& segment, const SizeMarks& marks);

}  // namespace culprit::capture
