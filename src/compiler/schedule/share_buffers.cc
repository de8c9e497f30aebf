// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/share_buffers.h"

#include <algorithm>
#include <optional>

#include "compiler/loops/stage_uses.h"

namespace culprit::compiler::schedule {
namespace {

using loops::BodyCopy;
using loops::Expression;
using loops::ExprId;
using loops::Kernel;
using loops::Op;
using loops::Stage;

struct StoredAt {
  size_t stage = 0;
  ExprId place = {};
};

// The one store into a buffer.
std::optional<StoredAt> StoreInto(const Kernel& kernel, uint32_t buffer) {
  std::optional<StoredAt> found;
  for (size_t i = 0; i < kernel.stages.size(); ++i) {
    for (const loops::BufferStore& store : kernel.stages[i].stores) {
      if (store.buffer != buffer) continue;
      if (found) return std::nullopt;
      found = StoredAt{i, store.index};
    }
  }
  return found;
}

// Whether `temporary` may lie in `result`: it is read in the stage that stores the result and in no other.
bool MayLieIn(const Kernel& kernel, uint32_t temporary, uint32_t result) {
  if (temporary == result || kernel.buffers[temporary].dtype != kernel.buffers[result].dtype) return false;
  const std::optional<StoredAt> made = StoreInto(kernel, temporary);
  const std::optional<StoredAt> stored = StoreInto(kernel, result);
  if (!made || !stored || made->stage >= stored->stage || made->place != stored->place) return false;
  for (size_t i = 0; i < kernel.stages.size(); ++i) {
    const Stage& stage = kernel.stages[i];
    if (!PlacesLoaded(kernel, stage, result).empty()) return false;
    const std::vector<ExprId> places = PlacesLoaded(kernel, stage, temporary);
    if (i != stored->stage && !places.empty()) return false;
    if (std::ranges::any_of(places, [&](ExprId place) { return place != stored->place; })) return false;
  }
  return true;
}

void Replace(Kernel& kernel, uint32_t temporary, uint32_t result) {
  loops::Body body;
  BodyCopy copy(kernel.body, body,
                [&](const Expression& expression, BodyCopy& copy) -> std::optional<ExprId> {
                  if (expression.op != Op::kLoad || static_cast<uint32_t>(expression.integer) != temporary)
                    return std::nullopt;
                  Expression load = expression;
                  load.integer = result;
                  for (ExprId& operand : load.operands) operand = copy(operand);
                  return body.Add(std::move(load));
                });
  for (ExprId& extent : kernel.extents) extent = copy(extent);
  for (Stage& stage : kernel.stages) {
    if (stage.kind != loops::LoopKind::kPointwise) stage.combined = copy(stage.combined);
    for (loops::BufferStore& store : stage.stores) {
      store.index = copy(store.index);
      store.value = copy(store.value);
      if (store.buffer == temporary) store.buffer = result;
    }
  }
  kernel.body = std::move(body);
}

// Buffers behind it move up.
void Erase(BuiltKernel& built, uint32_t buffer) {
  built.kernel.buffers.erase(built.kernel.buffers.begin() + buffer);
  built.step.buffers.erase(built.step.buffers.begin() + buffer);
  for (uint32_t i = buffer; i < built.kernel.buffers.size(); ++i) Replace(built.kernel, i + 1, i);
}

}  // namespace

void ShareBuffers(BuiltKernel& built, const std::vector<bool>& is_needed) {
  for (uint32_t temporary = 0; temporary < built.kernel.buffers.size();) {
    const bool is_own =
        built.kernel.buffers[temporary].is_written && !is_needed[Index(built.step.buffers[temporary])];
    std::optional<uint32_t> found;
    for (uint32_t result = 0; is_own && !found && result < built.kernel.buffers.size(); ++result)
      if (built.kernel.buffers[result].is_written && MayLieIn(built.kernel, temporary, result))
        found = result;
    if (!found) {
      ++temporary;
      continue;
    }
    Replace(built.kernel, temporary, *found);
    Erase(built, temporary);
  }
}

}  // namespace culprit::compiler::schedule
