// SPDX-License-Identifier: Apache-2.0
//
// Reads the class of a script into a graph: tensor constants from __init__, placeholders and nodes from
// forward.
//
// Values keep the names they have in the text. A name that is assigned twice, and results that nobody names,
// get fresh ones at the end, so that they never take a name the text uses.
#pragma once

#include "base/result.h"
#include "graph/text/script/script.h"
#include "graph/text/syntax/outline.h"

namespace culprit::graph::text {

/// `inputs` tells which placeholders are not tensors.
base::Result<Script> ReadBody(const Source& source, const ScriptOutline& outline,
                              std::optional<InputSpecs> inputs, const ReadOptions& options);

}  // namespace culprit::graph::text
