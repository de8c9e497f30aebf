// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "faults/where.h"

namespace culprit::faults {

/// Why there is no guilty node in a graph: "it does not call 'relu', did you mean 'relu_'?". An error if
/// there is no operator of that name at all.
base::Result<std::string> WhyIdle(const Where& where, const graph::Graph& graph);

}  // namespace culprit::faults
