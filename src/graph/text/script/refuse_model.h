// SPDX-License-Identifier: Apache-2.0
//
// Classes with a forward that is no graph: models as people write them, and what Dynamo hands to AOTAutograd
// ("after Dynamo"). They call modules and functions of Python, where a graph calls operators.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "graph/text/syntax/outline.h"

namespace culprit::graph::text {

/// Says which of the two it is and what to do; nothing for a graph.
std::optional<base::Diagnostic> RefuseModel(const Source& source, const ScriptOutline& outline);

}  // namespace culprit::graph::text
