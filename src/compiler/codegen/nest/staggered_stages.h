// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/nest/expressions.h"

namespace culprit::compiler::codegen {

/// Stages along short rows wait for what the stage before has reduced them to for as long as they compute. So
/// each computes another piece than the one before it, and what a row was reduced to is there:
///   step 0: stage 0 of piece 0
///   step 1: stage 0 of piece 1, stage 1 of piece 0
///   step 2: stage 0 of piece 2, stage 1 of piece 1, stage 2 of piece 0
class StaggeredStages {
 public:
  /// `set_piece` sets the outer variables.
  StaggeredStages(Expressions& expressions, llvm::function_ref<void(llvm::Value*)> set_piece);

  /// Whether a kernel is one for which that is good.
  static bool AreGoodFor(const loops::Kernel& kernel, const Shape& shape);

  /// How many steps there are more than pieces.
  int64_t more_steps() const { return lags_.back(); }
  /// Pieces go from `begin` up to `end`.
  void WriteStep(llvm::Value* step, llvm::Value* begin, llvm::Value* end);

 private:
  void WriteStageOf(size_t stage, llvm::Value* piece);
  void PassOn();

  Expressions& expressions_;
  FunctionWriter& code_;
  llvm::function_ref<void(llvm::Value*)> set_piece_;
  /// By how many steps each stage comes later than the first.
  std::vector<int64_t> lags_;
  /// What each stage has reduced: in this step, one before it, two before it.
  std::vector<std::vector<llvm::AllocaInst*>> rows_;
};

}  // namespace culprit::compiler::codegen
