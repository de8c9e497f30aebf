// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/interpret.h"

#include <algorithm>

#include "compiler/loops/scalar_math.h"
#include "compiler/loops/stage_uses.h"

namespace culprit::compiler::loops {
namespace {

class Interpreter {
 public:
  Interpreter(const Kernel& kernel, void* const* buffers)
      : kernel_(kernel),
        buffers_(buffers),
        scalars_(kernel.body.expressions().size()),
        variables_(kernel.extents.size()),
        rows_(kernel.stages.size()) {
    for (const Stage& stage : kernel.stages) needed_.push_back(ComputedBy(kernel, stage));
  }

  void Run(int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) RunPiece(piece);
  }

 private:
  void RunPiece(int64_t piece) {
    const uint32_t whole = kernel_.lanes == Lanes::kOuter ? kernel_.outer - 1 : kernel_.outer;
    int64_t first = 0;
    int64_t last = 1;
    if (whole < kernel_.outer) {
      const int64_t extent = kernel_.Extent(whole);
      const int64_t chunks = (extent + Kernel::kChunk - 1) / Kernel::kChunk;
      first = piece % chunks * Kernel::kChunk;
      last = std::min(extent, first + Kernel::kChunk);
      piece /= chunks;
    }
    for (uint32_t variable = whole; variable-- > 0;) {
      variables_[variable] = piece % kernel_.Extent(variable);
      piece /= kernel_.Extent(variable);
    }
    for (int64_t i = first; i < last; ++i) {
      if (whole < kernel_.outer) variables_[whole] = i;
      for (size_t stage = 0; stage < kernel_.stages.size(); ++stage) RunStage(stage);
    }
  }

  void RunStage(size_t number) {
    const Stage& stage = kernel_.stages[number];
    const Type type = stage.kind == LoopKind::kPointwise ? Type::Long : kernel_.body.type(stage.combined);
    total_ = IdentityOf(stage.combine, type);
    place_ = iteration_ = 0;
    Loop(stage, number, 0);
    rows_[number] = FindsPlace(stage.combine) ? Scalar{.integer = place_} : total_;
  }

  void Loop(const Stage& stage, size_t number, size_t depth) {
    if (depth == stage.variables.size()) return Iterate(stage, number);
    const uint32_t variable = stage.variables[depth];
    const int64_t extent = kernel_.Extent(variable);
    for (variables_[variable] = 0; variables_[variable] < extent; ++variables_[variable]) {
      if (stage.kind == LoopKind::kScan && depth + 1 == stage.variables.size() && variables_[variable] == 0)
        total_ = IdentityOf(stage.combine, kernel_.body.type(stage.combined));
      Loop(stage, number, depth + 1);
    }
  }

  void Iterate(const Stage& stage, size_t number) {
    for (const ExprId id : needed_[number]) scalars_[Index(id)] = Evaluate(kernel_.body[id]);
    if (stage.kind != LoopKind::kPointwise) Combine(stage, scalars_[Index(stage.combined)]);
    for (size_t i = 0; i < stage.stores.size(); ++i) {
      const BufferStore& store = stage.stores[i];
      const Scalar& value = stage.kind == LoopKind::kScan && i == 0 ? total_ : scalars_[Index(store.value)];
      StoreScalar(buffers_[store.buffer], kernel_.buffers[store.buffer].dtype,
                  scalars_[Index(store.index)].integer, value);
    }
  }

  void Combine(const Stage& stage, const Scalar& value) {
    const Type type = kernel_.body.type(stage.combined);
    if (!FindsPlace(stage.combine)) {
      total_ = CombineScalars(stage.combine, type, total_, value);
    } else if (iteration_ == 0 || IsBetter(stage.combine, type, total_, value)) {
      total_ = value;
      place_ = iteration_;
    }
    ++iteration_;
  }

  Scalar Evaluate(const Expression& expression) const {
    const auto number = static_cast<size_t>(expression.integer);
    switch (expression.op) {
      case Op::kConstant:
        return {expression.number, expression.integer};
      case Op::kSize:
        return {.integer = kernel_.numbers[number]};
      case Op::kIndex:
        return {.integer = variables_[number]};
      case Op::kRow:
        return rows_[number];
      case Op::kLoad:
        if (expression.masked && scalars_[Index(expression.operands[1])].integer == 0) return {};
        return LoadScalar(buffers_[number], kernel_.buffers[number].dtype,
                          scalars_[Index(expression.operands[0])].integer);
      default:
        break;
    }
    Scalar operands[3];
    for (size_t i = 0; i < expression.operands.size(); ++i)
      operands[i] = scalars_[Index(expression.operands[i])];
    const Type type = kernel_.body.type(expression.operands.back());
    if (expression.op == Op::kCast) return CastScalar(operands[0], type, expression.type);
    return ApplyScalar(expression.op, type, operands);
  }

  const Kernel& kernel_;
  void* const* buffers_;
  std::vector<Scalar> scalars_;
  std::vector<int64_t> variables_;
  std::vector<Scalar> rows_;
  std::vector<std::vector<ExprId>> needed_;
  Scalar total_;
  int64_t place_ = 0;
  int64_t iteration_ = 0;
};

}  // namespace

void Interpret(const Kernel& kernel, void* const* buffers, int64_t begin, int64_t end) {
  Interpreter(kernel, buffers).Run(begin, end);
}

}  // namespace culprit::compiler::loops
