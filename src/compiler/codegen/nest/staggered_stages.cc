// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/staggered_stages.h"

#include <algorithm>

#include "compiler/codegen/nest/stage.h"

namespace culprit::compiler::codegen {

using llvm::Value;
using loops::LoopKind;

bool StaggeredStages::AreGoodFor(const loops::Kernel& kernel, const Shape& shape) {
  constexpr int64_t kLongest = 256;
  const bool has_rows = kernel.lanes == loops::Lanes::kInner && kernel.outer > 0 && shape.lanes > 1;
  if (!has_rows || kernel.stages.size() < 2 || kernel.stages[0].kind != LoopKind::kReduction) return false;
  return std::ranges::all_of(kernel.stages, [&](const loops::Stage& stage) {
    if (stage.kind == LoopKind::kScan || stage.variables.size() > 1) return false;
    return std::ranges::all_of(stage.variables, [&](uint32_t variable) {
      const std::optional<int64_t> extent = FixedExtent(kernel, variable);
      return extent && *extent <= kLongest;
    });
  });
}

StaggeredStages::StaggeredStages(Expressions& expressions, llvm::function_ref<void(Value*)> set_piece)
    : expressions_(expressions), code_(expressions.code()), set_piece_(set_piece) {
  int64_t lag = 0;
  for (const loops::Stage& stage : expressions.kernel().stages) {
    lags_.push_back(lag);
    if (stage.kind == LoopKind::kReduction) ++lag;
  }
  rows_.resize(lags_.size());
}

void StaggeredStages::WriteStep(Value* step, Value* begin, Value* end) {
  llvm::IRBuilder<>& builder = code_.builder;
  for (size_t stage = 0; stage < lags_.size(); ++stage) {
    Value* piece = builder.CreateSub(step, code_.Long(lags_[stage]));
    // Pieces before the first one are very large, if numbers have no sign.
    Value* is_there = builder.CreateICmpULT(builder.CreateSub(piece, begin), builder.CreateSub(end, begin));
    expressions_.scopes().If(is_there, [&] { WriteStageOf(stage, piece); });
  }
  PassOn();
}

void StaggeredStages::WriteStageOf(size_t stage, Value* piece) {
  llvm::IRBuilder<>& builder = code_.builder;
  set_piece_(piece);
  for (size_t before = 0; before < stage; ++before) {
    if (rows_[before].empty()) continue;
    llvm::AllocaInst* row = rows_[before][static_cast<size_t>(lags_[stage] - lags_[before])];
    expressions_.SetRow(before, builder.CreateLoad(row->getAllocatedType(), row));
  }
  WriteStage(expressions_, stage);
  if (expressions_.kernel().stages[stage].kind != LoopKind::kReduction) return;
  Value* reduced = expressions_.row(stage);
  for (int64_t lag = lags_[stage]; lag <= lags_.back(); ++lag)
    rows_[stage].push_back(code_.Slot(reduced->getType()));
  builder.CreateStore(reduced, rows_[stage][0]);
}

void StaggeredStages::PassOn() {
  for (const std::vector<llvm::AllocaInst*>& row : rows_) {
    for (size_t age = row.size(); age-- > 1;)
      code_.builder.CreateStore(code_.builder.CreateLoad(row[age]->getAllocatedType(), row[age - 1]),
                                row[age]);
  }
}

}  // namespace culprit::compiler::codegen
