// SPDX-License-Identifier: Apache-2.0
//
// Which values of forward are kept for backward. Whatever is chosen suffices: everything backward needs is
// one of them or can be recomputed from them (autograd/joint/recompute.h), and nothing is chosen in vain.
//
//   y = sigmoid(x)       default keeps y and z, as autograd does;
//   z = exp(y)           min-cut keeps y alone, or x if that is smaller
#pragma once

#include <vector>

#include "autograd/joint/joint.h"
#include "autograd/joint/recompute.h"

namespace culprit::autograd {

/// Placeholder of the captured graph, or result of a node of forward.
bool IsForward(const Joint& joint, graph::ValueId id);

/// The values of forward that nodes of backward and gradients mention, in order of definition.
std::vector<graph::ValueId> NeededByBackward(const Joint& joint);

/// Recomputes views only.
std::vector<graph::ValueId> SaveAsAutogradDoes(const Joint& joint, const std::vector<Recompute>& recompute);

/// Recomputes what is cheap wherever that saves memory: of all choices one with the fewest bytes, and of
/// those the one that recomputes least. Parameters and buffers count nothing, since their module holds them
/// anyway.
std::vector<graph::ValueId> SaveByMinCut(const Joint& joint, const std::vector<Recompute>& recompute);

}  // namespace culprit::autograd
