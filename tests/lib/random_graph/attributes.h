// SPDX-License-Identifier: Apache-2.0
//
// Attributes at random. ATen gives arguments of the same meaning the same name, so a name and a type say what
// is valid: "dim" is a dimension of the tensor the call is about, "keepdim" is anything, "rounding_mode" is
// one of three strings.
#pragma once

#include <optional>

#include "graph/operators/slot.h"
#include "tests/lib/random_graph/graph_maker.h"

namespace culprit::tests {

/// Nothing if the argument is one that only a special rule can give.
std::optional<graph::Argument> RandomAttribute(GraphMaker& maker, const c10::Argument& formal,
                                               const graph::Slot& slot, const at::Tensor& about);

/// A number that suits the tensor's dtype; now and then a special one. Never a bool: for a Scalar argument
/// Python's torch.ops makes an int of it.
graph::Argument RandomNumber(GraphMaker& maker, const at::Tensor& about);

/// Infinities, NaN, zeros of both signs, denormals, the extremes, and numbers with many digits.
double SpecialFloat(GraphMaker& maker);

}  // namespace culprit::tests
