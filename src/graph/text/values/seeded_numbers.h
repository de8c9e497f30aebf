// SPDX-License-Identifier: Apache-2.0
//
// Numbers from a seed, as text:
//
//   torch.randn(1024, dtype=torch.float32, generator=seeded(7))
//   torch.rand(1024, dtype=torch.float32, generator=seeded(7))
//   (1 - torch.rand(1024, dtype=torch.float32, generator=seeded(7)))
//   torch.randint(0, 10, (1024,), dtype=torch.int64, generator=seeded(7))   also of a floating dtype
#pragma once

#include <string>

#include "base/result.h"
#include "graph/tensors/storage_contents.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

/// Whether the expression is 1 - something.
bool IsTakenFromOne(const ExpressionArena& arena, ExpressionId id);

base::Result<SeededNumbers> EvaluateSeeded(const Source& source, const ExpressionArena& arena,
                                           ExpressionId id);

std::string SeededToText(const SeededNumbers& numbers);

}  // namespace culprit::graph::text
