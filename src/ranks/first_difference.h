// SPDX-License-Identifier: Apache-2.0
//
// What ranks may not differ in: the place, the number of inputs, the name, type and number of dimensions of
// each, and where the graph ends. Otherwise they would compile different numbers of graphs, and the first
// collective between these would hang. Sizes, strides and numbers may differ: they become symbols.
#pragma once

#include <optional>
#include <vector>

#include "capture/segment/place_view.h"
#include "ranks/rank_failure.h"

namespace culprit::ranks {

/// Of rank 0 and the first rank that is unlike it; the same on every rank.
std::optional<RankFailure> FirstDifference(const std::vector<capture::PlaceView>& views);

}  // namespace culprit::ranks
