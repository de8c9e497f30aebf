// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/stage_uses.h"

#include <algorithm>

namespace culprit::compiler::loops {

std::vector<ExprId> ComputedBy(const Kernel& kernel, const Stage& stage) {
  std::vector<bool> used(kernel.body.expressions().size());
  if (stage.kind != LoopKind::kPointwise) used[Index(stage.combined)] = true;
  for (const BufferStore& store : stage.stores) used[Index(store.index)] = used[Index(store.value)] = true;
  std::vector<ExprId> computed;
  for (uint32_t i = static_cast<uint32_t>(used.size()); i-- > 0;) {
    if (!used[i]) continue;
    computed.push_back(ExprId{i});
    for (const ExprId operand : kernel.body[ExprId{i}].operands) used[Index(operand)] = true;
  }
  std::ranges::reverse(computed);
  return computed;
}

std::vector<ExprId> PlacesLoaded(const Kernel& kernel, const Stage& stage, uint32_t buffer) {
  std::vector<ExprId> places;
  for (const ExprId id : ComputedBy(kernel, stage)) {
    const Expression& expression = kernel.body[id];
    if (expression.op == Op::kLoad && static_cast<uint32_t>(expression.integer) == buffer)
      places.push_back(expression.operands[0]);
  }
  return places;
}

}  // namespace culprit::compiler::loops
