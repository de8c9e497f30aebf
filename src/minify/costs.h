// SPDX-License-Identifier: Apache-2.0
//
// What operators cost, so that a search can cut where both halves take the same time. They are measured once,
// at the beginning, and written down with the answers: a search that is taken up again has to cut at the same
// places.
#pragma once

#include <string>
#include <unordered_map>

#include "minify/program.h"

namespace culprit::minify {

/// Seconds by the name of the node (node_names.h).
using Costs = std::unordered_map<std::string, double>;

/// In one eager run; whatever an operator takes, handling it takes some time too. Empty if the program does
/// not run.
Costs MeasureCosts(const Program& program);

}  // namespace culprit::minify
