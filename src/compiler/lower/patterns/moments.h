// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/lower/patterns/reduction.h"

namespace culprit::compiler::lower {

/// "<name>.sum", of all numbers that become one.
loops::ValueIndex SumOf(Call& call, const Reduced& reduced, loops::ValueIndex operand, Type type);

/// The sum of an expression, "<name>.<suffix>"; `each(loop, indices)` has the indices into the operand that
/// is reduced, and in the loop's own variables what is left of them.
loops::ValueIndex SumOfEach(Call& call, const Reduced& reduced, std::string_view suffix,
                            const std::function<Expr(LoopBuilder&, const Indices&)>& each);

/// libtorch's layer and group norm correct their mean with each number, so of infinite ones there is none;
/// batch norm adds up, and infinities stay. Where squares overflow, its variance is infinite or NaN, which
/// depends on where they lie; here it is infinite.
enum class Infinite : uint8_t { kStays, kIsNan };
Expr Finished(Expr statistic, Infinite infinite);

/// A loop for sum / count.
std::shared_ptr<loops::Loop> MeanLoop(const Call& call, const Reduced& reduced, loops::ValueIndex sum,
                                      Infinite infinite = Infinite::kStays);

/// "<name>.squares", the sum of (x - mean)^2: the second pass over the numbers.
loops::ValueIndex SquaresAround(Call& call, const Reduced& reduced, loops::ValueIndex operand,
                                loops::ValueIndex mean);

/// A loop for 1 / sqrt(squares / count + eps).
std::shared_ptr<loops::Loop> InverseDeviationLoop(const Call& call, const Reduced& reduced,
                                                  loops::ValueIndex squares, double eps);

}  // namespace culprit::compiler::lower
