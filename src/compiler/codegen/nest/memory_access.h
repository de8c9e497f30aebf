// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores. Consecutive elements move as a vector; others go one by one, or by the processor's own
// gather and scatter where it has them with masks. Lanes that are not there, or masked, touch no memory of
// the kernel's: they read a zero and write into memory that nobody reads.
#pragma once

#include "compiler/codegen/nest/expressions.h"

namespace culprit::compiler::codegen {

llvm::Value* Load(Expressions& expressions, const loops::Expression& load, bool varies);

/// `value` has a value per lane if the place differs from lane to lane; else its first lane is stored.
void BufferStore(Expressions& expressions, const loops::BufferStore& store, llvm::Value* value);

}  // namespace culprit::compiler::codegen
