// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "autograd/trace/graph_symbols.h"
#include "autograd/trace/trace.h"

namespace culprit::autograd {

/// A trace for all sizes of the graph's symbols: several traces with different sizes, and what they have in
/// common (graph/sizes/generalise/generalise.h). `fixed` says why it is for these sizes alone, if it is. The
/// modes and exceptions are those of Trace.
Traced TraceSymbols(const graph::Graph& graph, const backend::Values& inputs,
                    const std::optional<TangentLayouts>& tangents, std::string& fixed);

/// What a trace with these inputs has otherwise than `general`, a trace for all sizes as it was made: that
/// was found out by samples, and has to be compared before it is used for sizes for the first time. Empty if
/// it is right for these. Throws what Trace throws.
std::string CompareTrace(const graph::Graph& graph, const backend::Values& inputs,
                         const std::optional<TangentLayouts>& tangents, const Traced& general);

}  // namespace culprit::autograd
