// SPDX-License-Identifier: Apache-2.0
//
// The elements of an output that are off, one by one, for who has to say which of them noise explains
// (noise.h).
#pragma once

#include <vector>

#include "compare/elements/element_operands.h"
#include "compare/elements/summary.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

/// So many are kept, evenly spread over those that there are.
constexpr size_t kMostOffElements = 1 << 16;

/// Those that are outside of the tolerance and finite on both sides. Where there is an fp64 reference, they
/// are moved by as much as the reference is from it.
std::vector<OffElement> FindOffElements(const ElementOperands& operands, const Closeness& closeness);

/// Notes how far the result of these operands, another run, is from the same reference.
void NoteMoved(const ElementOperands& operands, std::vector<OffElement>& elements);

}  // namespace culprit::compare
