// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/loop_nest.h"

#include "compiler/codegen/nest/expressions.h"
#include "compiler/codegen/nest/far_rows.h"
#include "compiler/codegen/nest/range.h"
#include "compiler/codegen/nest/stage.h"
#include "compiler/codegen/nest/staggered_stages.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;

// As long as a row takes to come from memory.
constexpr int64_t kPiecesAhead = 4;

class Nest {
 public:
  Nest(FunctionWriter& code, const loops::Kernel& kernel)
      : code_(code),
        kernel_(kernel),
        scopes_(code),
        expressions_(code, scopes_, kernel),
        far_rows_(FarRowsOf(kernel)) {}

  void Write() {
    expressions_.BeginStage(std::nullopt, 0);
    expressions_.Place();
    Value* begin = code_.function->getArg(2);
    Value* end = code_.function->getArg(3);
    if (StaggeredStages::AreGoodFor(kernel_, code_.shape))
      Staggered(begin, end);
    else
      scopes_.Loop(begin, end, 1, [&](Value* piece) { Piece(piece); });
    code_.builder.CreateRetVoid();
  }

 private:
  Value* Extent(uint32_t variable) { return expressions_.Of(kernel_.extents[variable]); }

  void Staggered(Value* begin, Value* end) {
    const auto set_piece = [&](Value* piece) { SetOuter(piece, kernel_.outer); };
    StaggeredStages stages(expressions_, set_piece);
    Value* last = code_.builder.CreateAdd(end, code_.Long(stages.more_steps()));
    // Without pieces there is nothing to look ahead to either.
    last = code_.builder.CreateSelect(code_.builder.CreateICmpSLT(begin, end), last, begin);
    scopes_.Loop(begin, last, 1, [&](Value* step) {
      AskForRows(step);
      stages.WriteStep(step, begin, end);
    });
  }

  // Some pieces ahead of this one, if there are any.
  void AskForRows(Value* piece) {
    if (far_rows_.empty()) return;
    llvm::IRBuilder<>& builder = code_.builder;
    scopes_.Block([&] {
      Value* last = builder.CreateSub(code_.function->getArg(3), code_.Long(1));
      Value* ahead = Smaller(builder.CreateAdd(piece, code_.Long(kPiecesAhead)), last);
      for (uint32_t i = 0; i < kernel_.extents.size(); ++i) expressions_.SetVariable(i, code_.Long(0));
      if (kernel_.lanes == loops::Lanes::kInner) {
        SetOuter(ahead, kernel_.outer);
      } else {
        TakenFrom(ahead, Chunks());
        SetOuter(ahead, kernel_.outer - 1);
      }
      expressions_.Place();
      for (const FarRow& row : far_rows_) AskFor(row);
    });
  }

  void AskFor(const FarRow& row) {
    llvm::IRBuilder<>& builder = code_.builder;
    Value* address = builder.CreateGEP(code_.MemoryType(kernel_.buffers[row.buffer].dtype),
                                       expressions_.BufferAddress(row.buffer), expressions_.Of(row.place));
    code_.Announce(address, row.lines, FunctionWriter::Use::kRead);
  }

  Value* Chunks() {
    llvm::IRBuilder<>& builder = code_.builder;
    Value* rounded = builder.CreateAdd(Extent(kernel_.outer - 1), code_.Long(loops::Kernel::kChunk - 1));
    return builder.CreateUDiv(rounded, code_.Long(loops::Kernel::kChunk));
  }

  void Piece(Value* piece) {
    AskForRows(piece);
    if (kernel_.lanes == loops::Lanes::kInner) {
      SetOuter(piece, kernel_.outer);
      return Stages();
    }
    llvm::IRBuilder<>& builder = code_.builder;
    const uint32_t last = kernel_.outer - 1;
    Value* extent = Extent(last);
    llvm::ConstantInt* chunk = code_.Long(loops::Kernel::kChunk);
    Value* from = builder.CreateMul(TakenFrom(piece, Chunks()), chunk);
    Value* to = Smaller(builder.CreateAdd(from, chunk), extent);
    SetOuter(piece, last);
    InLanes(last, from, to);
  }

  /// What is left of `number` in digits of this many, which it loses.
  Value* TakenFrom(Value*& number, Value* radix) {
    if (Is(radix, 1)) return code_.Long(0);
    Value* digit = code_.builder.CreateURem(number, radix);
    number = code_.builder.CreateUDiv(number, radix);
    return digit;
  }

  Value* Smaller(Value* left, Value* right) {
    return code_.builder.CreateSelect(code_.builder.CreateICmpSLT(left, right), left, right);
  }

  void SetOuter(Value* piece, uint32_t count) {
    for (uint32_t variable = count; variable-- > 1;)
      expressions_.SetVariable(variable, TakenFrom(piece, Extent(variable)));
    if (count > 0) expressions_.SetVariable(0, piece);
  }

  void InLanes(uint32_t variable, Value* from, Value* to) {
    // Chunks begin at multiples of the lanes, so only the very last one can have a rest.
    const auto* extent = llvm::dyn_cast<llvm::ConstantInt>(Extent(variable));
    const Range range{.from = from,
                      .to = to,
                      .step = code_.lanes,
                      .is_whole = extent != nullptr && extent->getSExtValue() % code_.lanes == 0};
    WriteRange(expressions_, range, [&](Value* first, unsigned) {
      expressions_.SetVariable(variable, first);
      Stages();
    });
  }

  void Stages() {
    for (size_t i = 0; i < kernel_.stages.size(); ++i) WriteStage(expressions_, i);
  }

  FunctionWriter& code_;
  const loops::Kernel& kernel_;
  Scopes scopes_;
  Expressions expressions_;
  std::vector<FarRow> far_rows_;
};

}  // namespace

void WriteLoops(FunctionWriter& code, const loops::Kernel& kernel) {
  Nest(code, kernel).Write();
}

}  // namespace culprit::compiler::codegen
