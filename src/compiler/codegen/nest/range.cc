// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/range.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;

/// The last number that whole parts of this many, a power of 2, reach from `from` on.
Value* WholeUntil(FunctionWriter& code, const Range& range, int64_t part) {
  if (part == 1) return range.to;
  Value* count = code.builder.CreateSub(range.to, range.from);
  return code.builder.CreateAdd(range.from, code.builder.CreateAnd(count, code.Long(-part)));
}

void WriteRest(Expressions& expressions, Value* from, Value* to,
               llvm::function_ref<void(Value*, unsigned)> iteration) {
  FunctionWriter& code = expressions.code();
  expressions.scopes().If(code.builder.CreateICmpSLT(from, to), [&] {
    Value* count = code.builder.CreateSub(to, from);
    llvm::Type* lane_number = code.builder.getInt32Ty();
    Value* mask = code.builder.CreateICmpULT(code.Iota(lane_number),
                                             code.Splat(code.builder.CreateTrunc(count, lane_number)));
    expressions.set_rest({count, mask});
    iteration(from, 0);
    expressions.set_rest({});
  });
}

}  // namespace

void WriteRange(Expressions& expressions, const Range& range,
                llvm::function_ref<void(Value*, unsigned)> iteration) {
  FunctionWriter& code = expressions.code();
  Scopes& scopes = expressions.scopes();
  const int64_t round = range.step * range.copies;
  Value* rounds_end = range.is_whole && range.copies == 1 ? range.to : WholeUntil(code, range, round);
  Value* steps_end = range.is_whole ? range.to : WholeUntil(code, range, range.step);

  const auto rounds = [&](Value* from, Value* to) {
    scopes.Loop(from, to, round, [&](Value* first) {
      for (unsigned copy = 0; copy < range.copies; ++copy) {
        scopes.Block([&] { iteration(code.builder.CreateAdd(first, code.Long(copy * range.step)), copy); });
      }
    });
  };
  if (range.end_block) {
    scopes.Loop(range.from, rounds_end, round * kBlock, [&](Value* first) {
      Value* next = code.builder.CreateAdd(first, code.Long(round * kBlock));
      Value* end = code.builder.CreateSelect(code.builder.CreateICmpSLT(next, rounds_end), next, rounds_end);
      rounds(first, end);
      range.end_block();
    });
  } else {
    rounds(range.from, rounds_end);
  }
  if (range.copies > 1)
    scopes.Loop(rounds_end, steps_end, range.step, [&](Value* first) { iteration(first, 0); });
  if (range.step > 1 && !range.is_whole) WriteRest(expressions, steps_end, range.to, iteration);
}

}  // namespace culprit::compiler::codegen
