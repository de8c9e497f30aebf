// SPDX-License-Identifier: Apache-2.0
//
// A segment as other ranks see it, before it is compiled.
#pragma once

#include <string>
#include <vector>

#include "capture/segment/place_view.h"
#include "capture/segment/segment.h"

namespace culprit::capture {

/// The values that a view has inputs for, in their order: tensors and plain values. Of lists of numbers there
/// may be thousands, so their elements are left out.
std::vector<SourceId> SourcesInView(const Segment& segment);

PlaceView ViewOf(const Segment& segment, std::string place, std::string failed_guard);

}  // namespace culprit::capture
