// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/in_place.h"

#include <optional>
#include <vector>

namespace culprit::compiler::run {
namespace {

using loops::Expression;
using loops::ExprId;
using loops::Kernel;
using loops::Op;

// Where a stage loads from a buffer.
std::vector<ExprId> PlacesLoaded(const Kernel& kernel, const loops::Stage& stage, uint32_t buffer) {
  std::vector<bool> used(kernel.body.expressions().size());
  if (stage.kind != loops::LoopKind::kPointwise) used[Index(stage.combined)] = true;
  for (const loops::Store& store : stage.stores) used[Index(store.index)] = used[Index(store.value)] = true;
  std::vector<ExprId> places;
  for (size_t i = used.size(); i-- > 0;) {
    if (!used[i]) continue;
    const Expression& expression = kernel.body.expressions()[i];
    for (const ExprId operand : expression.operands) used[Index(operand)] = true;
    if (expression.op == Op::kLoad && static_cast<uint32_t>(expression.integer) == buffer)
      places.push_back(expression.operands[0]);
  }
  return places;
}

}  // namespace

bool MayShareMemory(const Kernel& kernel, uint32_t read, uint32_t written) {
  if (kernel.buffers[read].is_written || kernel.buffers[read].dtype != kernel.buffers[written].dtype)
    return false;
  std::vector<ExprId> loaded;
  bool is_written = false;
  for (const loops::Stage& stage : kernel.stages) {
    const std::vector<ExprId> places = PlacesLoaded(kernel, stage, read);
    if (is_written && !places.empty()) return false;
    loaded.insert(loaded.end(), places.begin(), places.end());
    for (const loops::Store& store : stage.stores) {
      if (store.buffer != written) continue;
      if (stage.kind == loops::LoopKind::kScan || places.empty()) return false;
      for (const ExprId place : loaded)
        if (place != store.index) return false;
      is_written = true;
    }
  }
  return is_written;
}

}  // namespace culprit::compiler::run
