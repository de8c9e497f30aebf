// SPDX-License-Identifier: Apache-2.0
//
// round(x) of a float that was computed from sizes, half to even as in Python. Other compilers have no such
// operation, so it is made of ones that all have:
//
//   low = ceil(x - 0.5),  high = floor(x + 0.5)      one number, or the two around a half
//   round(x) = low + (high - low) * (low % 2)
#pragma once

#include "base/result.h"
#include "graph/text/calls/call_builder.h"

namespace culprit::graph::text {

/// An int stays as it is.
base::Result<Binding> RoundSize(const Argument& number, CallBuilder& calls);

}  // namespace culprit::graph::text
