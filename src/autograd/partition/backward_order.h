// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "autograd/joint/joint.h"
#include "autograd/joint/recompute.h"

namespace culprit::autograd {

/// The nodes that backward runs, by index: those of backward in their order, and each node of forward that
/// has to run again just before the first one that needs it. `saved` says of every value whether backward
/// gets it. Nothing if something is needed that is not saved and must not be recomputed.
std::optional<std::vector<size_t>> OrderBackward(const Joint& joint, const std::vector<Recompute>& recompute,
                                                 const std::vector<bool>& saved);

}  // namespace culprit::autograd
