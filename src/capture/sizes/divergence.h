// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capture/numbers/number_log.h"
#include "capture/segment/segment.h"

namespace culprit::capture {

/// Where two walks from one place part: "aten::lt at net.py:12", the first that does not have the same in
/// both.
std::string DivergenceOf(const Segment& a, const NumberLog& log_of_a, const Segment& b,
                         const NumberLog& log_of_b);

}  // namespace culprit::capture
