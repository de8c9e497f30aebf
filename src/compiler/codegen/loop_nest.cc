// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/loop_nest.h"

#include "compiler/codegen/expressions.h"
#include "compiler/codegen/range.h"
#include "compiler/codegen/stage.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;

class Nest {
 public:
  Nest(Code& code, const loops::Kernel& kernel)
      : code_(code), kernel_(kernel), scopes_(code), expressions_(code, scopes_, kernel) {}

  void Write() {
    expressions_.BeginStage(std::nullopt);
    expressions_.Place();
    scopes_.Loop(code_.function->getArg(2), code_.function->getArg(3), 1,
                 [&](Value* piece) { Piece(piece); });
    code_.builder.CreateRetVoid();
  }

 private:
  Value* Extent(uint32_t variable) { return expressions_.Of(kernel_.extents[variable]); }

  void Piece(Value* piece) {
    if (kernel_.lanes == loops::Lanes::kInner) {
      SetOuter(piece, kernel_.outer);
      return Stages();
    }
    llvm::IRBuilder<>& builder = code_.builder;
    const uint32_t last = kernel_.outer - 1;
    Value* extent = Extent(last);
    llvm::ConstantInt* chunk = code_.Long(loops::Kernel::kChunk);
    Value* chunks =
        builder.CreateUDiv(builder.CreateAdd(extent, code_.Long(loops::Kernel::kChunk - 1)), chunk);
    Value* from = builder.CreateMul(TakenFrom(piece, chunks), chunk);
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

  Code& code_;
  const loops::Kernel& kernel_;
  Scopes scopes_;
  Expressions expressions_;
};

}  // namespace

void WriteLoops(Code& code, const loops::Kernel& kernel) {
  Nest(code, kernel).Write();
}

}  // namespace culprit::compiler::codegen
