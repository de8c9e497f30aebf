// SPDX-License-Identifier: Apache-2.0
//
// Views as they travel between ranks, as JSON:
//
//   {"version": 1, "place": "forward: from net.py:12", "operators": 21, "failed_guard": "",
//    "inputs": [{"name": "x", "type": "float32 tensor", "sizes": [2, 3], "strides": [3, 1]},
//               {"name": "n", "type": "number", "number": 5}],
//    "break": {"code": "B02", "reason": "...", "place": "net.py:29"}}
//
// Where the program returns there is no "break"; a rank that cannot capture the place says why as "refusal".
// What comes from other ranks is not believed.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/segment/place_view.h"

namespace culprit::ranks {

/// A view that is larger becomes a text that says so, on all ranks: one that kept silent would be waited for.
inline constexpr size_t kLargestView = 4 << 20;

std::string TextOf(const capture::PlaceView& view);

/// The message of an error goes on from "what rank 2 has sent": "is no JSON".
base::Result<capture::PlaceView> ViewOf(std::string_view text);

}  // namespace culprit::ranks
