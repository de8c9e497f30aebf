// SPDX-License-Identifier: Apache-2.0
//
// What libtorch's CPU kernels can do with numbers of a dtype. Every dtype can be kept, viewed and copied as
// bytes.
//
//   float8_*                      converted and compared, but neither computed with nor drawn
//   uint16, uint32, uint64        converted, compared and drawn; computed with by few operators
//   float4_e2m1fn_x2, bits*,      bytes that no kernel takes apart
//   int1 ... uint7, quantised
#pragma once

#include <c10/core/ScalarType.h>

namespace culprit::graph {

/// Whether there are kernels that convert numbers to it and from it.
bool HoldsNumbers(at::ScalarType dtype);

/// Whether random numbers can be drawn in it.
bool CanBeDrawn(at::ScalarType dtype);

/// Integers from 0 on, bool included.
bool IsUnsigned(at::ScalarType dtype);

}  // namespace culprit::graph
