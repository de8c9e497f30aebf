// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capture/segment/segment.h"

namespace culprit::capture {

/// All recipes of a segment, those inside of others too, in an order that is the same for segments that are
/// alike.
std::vector<Recipe*> RecipesOf(Segment& segment);
std::vector<const Recipe*> RecipesOf(const Segment& segment);

}  // namespace culprit::capture
