// SPDX-License-Identifier: Apache-2.0
//
// Expands one row of the table of translations: binds its parameters to the arguments of the call and adds
// the nodes of its body, or those that its function emits, to the graph.
#pragma once

#include <optional>

#include "base/result.h"
#include "graph/text/calls/call_builder.h"
#include "graph/translate/table.h"

namespace culprit::graph::text {

/// Nothing if the row's condition does not hold. A mistake in the row itself is an internal error.
base::Result<std::optional<Binding>> ExpandTranslation(const translate::Translation& row,
                                                       const WrittenArguments& arguments, CallBuilder& calls);

base::Result<Binding> ExpandFunction(const translate::FunctionTranslation& row,
                                     const WrittenArguments& arguments, CallBuilder& calls);

}  // namespace culprit::graph::text
