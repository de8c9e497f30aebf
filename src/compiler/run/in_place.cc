// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/in_place.h"

#include <vector>

#include "compiler/loops/stage_uses.h"

namespace culprit::compiler::run {
using loops::ExprId;
using loops::Kernel;

bool MayShareMemory(const Kernel& kernel, uint32_t read, uint32_t written) {
  if (kernel.buffers[read].is_written || kernel.buffers[read].dtype != kernel.buffers[written].dtype)
    return false;
  std::vector<ExprId> loaded;
  bool is_written = false;
  for (const loops::Stage& stage : kernel.stages) {
    const std::vector<ExprId> places = PlacesLoaded(kernel, stage, read);
    if (is_written && !places.empty()) return false;
    loaded.insert(loaded.end(), places.begin(), places.end());
    for (const loops::BufferStore& store : stage.stores) {
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
