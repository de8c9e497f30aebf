// SPDX-License-Identifier: Apache-2.0
//
// Higher-order operators that call an operator which writes or has effects, so that the graph around it does not:
//
//   auto_functionalized(op, x = a, n = 2)                    => c = clone(a); r = op(c, 2); (r, c)
//   auto_functionalized_v2(op, n = 2, _x_base_index = 0,     => c = clone(a); v = c[0:3]; r = op(v, 2); (r, c)
//       _x_slice_dim = 0, ..., _all_bases = [a])
//   with_effects(token, op, a, 2)                            => r = op(a, 2); (token, r)
//
// They are read as what they do. An operator without results gives None. A base with gaps between its elements is copied
// without them.
#pragma once

#include <optional>
#include <string_view>

#include "graph/text/calls/call_builder.h"

namespace culprit::graph::text {

enum class WrappedCall : uint8_t { kOnCopies, kOnCopiesOfBases, kWithEffects };

/// `function` is dotted; the last part is the operator's name.
std::optional<WrappedCall> FindWrappedCall(std::string_view function);

/// The operator and its arguments, which are keywords, as the first two kinds have them. Errors have no place.
base::Result<Binding> CallOnCopies(WrappedCall kind, std::string_view op, WrittenArguments arguments,
                                   CallBuilder& calls);

/// (first, result, ...): None where there is no result.
Binding BehindFirst(const Argument& first, Binding results);

}  // namespace culprit::graph::text
