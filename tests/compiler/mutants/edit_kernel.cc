// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/mutants/edit_kernel.h"

namespace culprit::tests {

using compiler::loops::Body;
using compiler::loops::Expression;
using compiler::loops::ExprId;

size_t EditKernel(compiler::loops::Kernel& kernel, const EditExpression& edit) {
  Body body;
  std::vector<ExprId> renamed;
  size_t edited = 0;
  for (Expression expression : kernel.body.expressions()) {
    for (ExprId& operand : expression.operands) operand = renamed[Index(operand)];
    edited += edit(expression, body) ? 1 : 0;
    renamed.push_back(body.Add(std::move(expression)));
  }
  kernel.body = std::move(body);
  for (ExprId& extent : kernel.extents) extent = renamed[Index(extent)];
  for (compiler::loops::Stage& stage : kernel.stages) {
    if (stage.kind != compiler::loops::LoopKind::kPointwise) stage.combined = renamed[Index(stage.combined)];
    for (compiler::loops::BufferStore& store : stage.stores) {
      store.index = renamed[Index(store.index)];
      store.value = renamed[Index(store.value)];
    }
  }
  return edited;
}

}  // namespace culprit::tests
