// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/segment/segment.h"
#include "explain/explanation.h"

namespace culprit::explain {

ExplainedSegment ExplainSegment(const capture::Segment& segment);

}  // namespace culprit::explain
