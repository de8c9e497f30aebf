// SPDX-License-Identifier: Apache-2.0
//
// Expressions without values of the graph: numbers, strings, None, dtypes, devices, and arithmetic on numbers
// as far as literals need it (-1, 1+2j, float('inf'), complex(0.0, 1.0)).
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "base/result.h"
#include "graph/operators/slot.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

/// A name that Python or torch gives a meaning: True, None, inf, nan, torch.float32, torch.strided, math.pi
/// ...
std::optional<c10::IValue> NamedConstant(std::string_view name);

/// What an int that NamedConstant gave stands for: a dtype, a layout or a memory format; nothing for other
/// names.
std::optional<SlotKind> KindOfNamedConstant(std::string_view name);

/// A call that makes a constant: float('inf'), complex(a, b), device(...), torch.device(...).
bool IsConstantCall(std::string_view function, const ExpressionArena& arena, const Expression& call);

/// Whether there are nothing but constants in the expression.
bool MayBeConstant(const ExpressionArena& arena, ExpressionId id);

/// The constant; an error at its place if the expression is none.
base::Result<c10::IValue> EvaluateConstant(const Source& source, const ExpressionArena& arena,
                                           ExpressionId id);

}  // namespace culprit::graph::text
