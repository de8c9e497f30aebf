// SPDX-License-Identifier: Apache-2.0
//
// Whether two walks from one place have made the same, which is how sizes are told from other numbers.
#pragma once

#include "capture/segment/segment.h"

namespace culprit::capture {

/// Same object, place, constant, and so on; not what is inside of it.
bool IsSame(const Recipe& a, const Recipe& b);

/// Both have returned, or met the same break.
bool HasSameEnd(const Segment& a, const Segment& b);

/// The same but for numbers.
bool IsSameButForNumbers(const Segment& a, const Segment& b);

}  // namespace culprit::capture
