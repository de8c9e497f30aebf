// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/nest/expressions.h"

namespace culprit::compiler::codegen {

/// Writes one stage of a kernel into the innermost scope, where its row is known afterwards.
void WriteStage(Expressions& expressions, size_t number);

}  // namespace culprit::compiler::codegen
