// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/body.h"

namespace culprit::compiler::loops {

/// What a load of such memory gives, and a store into it takes.
Type TypeInRegisters(at::ScalarType dtype);

/// Whether loops can compute with such tensors.
bool IsComputable(at::ScalarType dtype);

/// Operands stand before their users, their number and types are those of the operation. Throws
/// base::InternalError.
void VerifyTypes(const Body& body);

}  // namespace culprit::compiler::loops
