// SPDX-License-Identifier: Apache-2.0
//
// Higher-order operators: they take operators, graphs or kernels as arguments. Those that only say from where
// an operator takes its random numbers are read as that operator, since a run draws them from its own seed:
//
//   graphsafe_run_with_rng_state(op, a, b, rng_state = g)  => op(a, b)
//   run_with_rng_state(state, op, a, b)                    => op(a, b)
//   run_and_save_rng_state(op, a, b)                       => (a state that nobody reads, op(a, b))
//
// Those that call an operator on copies or in an order are read as what they do (functionalized_call.h). All others are
// refused by name.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "graph/text/syntax/call_view.h"

namespace culprit::graph::text {

/// A call of the first kind.
struct CallWithRandomState {
  /// Which argument is the operator; its own follow.
  uint32_t op = 0;
  bool returns_state = false;
};

/// `function` is dotted; the last part is the operator's name.
std::optional<CallWithRandomState> FindCallWithRandomState(std::string_view function);

/// Why an operator of the second kind is refused and what to do, without a place; nothing for others.
std::optional<base::Diagnostic> RefuseHigherOrder(const ExpressionArena& arena, const Expression& call);

}  // namespace culprit::graph::text
