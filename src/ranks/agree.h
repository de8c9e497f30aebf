// SPDX-License-Identifier: Apache-2.0
//
// Before a rank compiles a place, it shows its view of it to the others and sees theirs. What they make of
// the views is the same on all ranks, since the views are.
#pragma once

#include <chrono>
#include <vector>

#include "capture/segment/place_view.h"
#include "ranks/rank_failure.h"
#include "ranks/rank_group.h"

namespace culprit::ranks {

/// The views of all ranks in their order, if those are about to do the same (ranks/first_difference.h).
RankOutcome<std::vector<capture::PlaceView>> Agree(RankGroup& group, const capture::PlaceView& view,
                                                   std::chrono::milliseconds limit);

}  // namespace culprit::ranks
