// SPDX-License-Identifier: Apache-2.0
//
// What stands in attributes of a script's class, since the dialect has no words for it:
//
//   graph_name = 'net_0_captured'
//   placeholder_kinds = {'weight': 'parameter'}
//   placeholder_symbols = {'x': ['s0', None]}      x.size(0) differs from call to call, x.size(1) does not
#pragma once

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"
#include "graph/text/calls/name_scope.h"
#include "graph/text/syntax/outline.h"

namespace culprit::graph::text {

/// `scope` has the placeholders and nothing else yet. There have to be symbols for all dimensions of an
/// input.
base::Status ReadClassAttributes(const Source& source, const ScriptOutline& outline, const NameScope& scope,
                                 const std::optional<InputSpecs>& inputs, Graph& graph);

}  // namespace culprit::graph::text
