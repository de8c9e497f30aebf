// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "compiler/loops/body.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

/// What reshapes leave behind when they meet:
///
///   (i0 * 64 + i1) // 64  =>  i0        where i1 < 64
///   (i0 * 64 + i1) % 64   =>  i1
///
/// For an expression that is not in the body yet; nothing if it stays as it is, as what wraps does. `extents`
/// says how far the variables go.
std::optional<loops::ExprId> SimplifiedIndex(loops::Body& body, const loops::Expression& expression,
                                             const std::vector<int64_t>& extents, NumberWriter numbers);

}  // namespace culprit::compiler::schedule
