// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/expressions.h"

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/codegen/math/arithmetic.h"
#include "compiler/codegen/math/casts.h"
#include "compiler/codegen/nest/memory_access.h"

namespace culprit::compiler::codegen {

using loops::Expression;
using loops::ExprId;
using loops::Op;

namespace {

std::vector<bool> FindFenced(const loops::Body& body) {
  std::vector<bool> is_fenced(body.expressions().size());
  for (const Expression& expression : body.expressions()) {
    if (expression.op != Op::kFence) continue;
    ExprId id = expression.operands[0];
    while (body[id].op == Op::kNeg) id = body[id].operands[0];
    is_fenced[Index(id)] = true;
  }
  return is_fenced;
}

}  // namespace

Expressions::Expressions(FunctionWriter& code, Scopes& scopes, const loops::Kernel& kernel)
    : code_(code),
      scopes_(scopes),
      kernel_(kernel),
      shared_(kernel),
      read_ahead_(kernel),
      is_fenced_(FindFenced(kernel.body)),
      variables_(kernel.extents.size()),
      rows_(kernel.stages.size()) {}

void Expressions::BeginStage(std::optional<uint32_t> lane, size_t number) {
  dependence_ = Analyse(kernel_, lane, kernel_.lanes == loops::Lanes::kOuter);
  lane_ = lane;
  stage_ = number;
  stage_depth_ = scopes_.innermost();
  for (size_t depth = 0; depth <= stage_depth_; ++depth) {
    for (const Cache cache : {&Scope::values, &Scope::splats, &Scope::starts, &Scope::steps})
      std::erase_if(scopes_[depth].*cache,
                    [&](const auto& entry) { return dependence_.reads_written[entry.first]; });
  }
}

void Expressions::SetVariable(uint32_t variable, llvm::Value* value) {
  variables_[variable] = {value, scopes_.innermost()};
}

void Expressions::SetRow(size_t stage, llvm::Value* value) {
  rows_[stage] = {value, scopes_.innermost()};
}

void Expressions::Place() {
  depths_.clear();
  for (const Expression& expression : kernel_.body.expressions()) depths_.push_back(DepthOf(expression));
}

// What is not to be had yet gets some depth, too: nobody asks for it.
size_t Expressions::DepthOf(const Expression& expression) const {
  const auto number = static_cast<size_t>(expression.integer);
  if (expression.op == Op::kIndex) return variables_[number].depth;
  if (expression.op == Op::kRow) return rows_[number].depth;
  size_t depth = 0;
  if (expression.op == Op::kLoad && kernel_.buffers[number].is_written) depth = stage_depth_;
  for (const ExprId operand : expression.operands) depth = std::max(depth, depths_[Index(operand)]);
  return depth;
}

llvm::Value* Expressions::BufferAddress(uint32_t buffer) {
  return scopes_.At(0, &Scope::buffers, buffer, [&] {
    llvm::Value* place =
        code_.builder.CreateConstInBoundsGEP1_64(code_.builder.getPtrTy(), code_.function->getArg(0), buffer);
    return code_.builder.CreateLoad(code_.builder.getPtrTy(), place);
  });
}

llvm::Value* Expressions::Of(ExprId id) {
  const Expression& expression = kernel_.body[id];
  if (expression.op == Op::kConstant) {
    llvm::Type* type = code_.TypeOf(expression.type);
    if (loops::IsFloat(expression.type)) return FunctionWriter::Number(type, expression.number);
    return llvm::ConstantInt::get(type, static_cast<uint64_t>(expression.integer), true);
  }
  return scopes_.At(depths_[Index(id)], &Scope::values, Index(id), [&] { return Written(expression, id); });
}

llvm::Value* Expressions::InLanes(ExprId id) {
  llvm::Value* value = Of(id);
  if (IsNarrow(id)) return code_.builder.CreateSExt(value, code_.Wide(code_.builder.getInt64Ty()));
  if (Varies(id) || code_.lanes == 1) return value;
  if (llvm::isa<llvm::Constant>(value)) return code_.Splat(value);
  return scopes_.At(depths_[Index(id)], &Scope::splats, Index(id), [&] { return code_.Splat(value); });
}

llvm::Value* Expressions::Written(const Expression& expression, ExprId id) {
  llvm::IRBuilder<>& builder = code_.builder;
  if (Varies(id) && IsAffine(id)) {
    if (code_.lanes == 1) return Start(id);
    llvm::Type* type = IsNarrow(id) ? builder.getInt32Ty() : builder.getInt64Ty();
    const auto splat = [&](llvm::Value* value) { return code_.Splat(builder.CreateTrunc(value, type)); };
    return builder.CreateAdd(splat(Start(id)), builder.CreateMul(code_.Iota(type), splat(Step(id))));
  }
  switch (expression.op) {
    case Op::kSize: {
      llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), code_.function->getArg(1),
                                                              static_cast<uint64_t>(expression.integer));
      return builder.CreateLoad(builder.getInt64Ty(), place);
    }
    case Op::kIndex:
      return variables_[static_cast<size_t>(expression.integer)].value;
    case Op::kRow:
      return rows_[static_cast<size_t>(expression.integer)].value;
    case Op::kLoad:
      return Load(*this, expression, Varies(id));
    default:
      return Operation(expression, id);
  }
}

bool Expressions::WorksNarrow(const Expression& expression, ExprId id) const {
  if (code_.lanes == 1 || !Varies(id)) return false;
  const bool gives_small = expression.type != loops::Type::Long || dependence_.is_small[Index(id)];
  return gives_small && std::ranges::all_of(expression.operands, [&](ExprId operand) {
           return kernel_.body.type(operand) != loops::Type::Long || dependence_.is_small[Index(operand)];
         });
}

llvm::Value* Expressions::Narrow(ExprId id) {
  if (kernel_.body.type(id) != loops::Type::Long) return InLanes(id);
  if (IsNarrow(id)) return Of(id);
  return code_.Splat(code_.builder.CreateTrunc(Of(id), code_.builder.getInt32Ty()));
}

llvm::Value* Expressions::Operation(const Expression& expression, ExprId id) {
  loops::Type from = kernel_.body.type(expression.operands.back());
  loops::Type to = expression.type;
  const bool is_narrow = WorksNarrow(expression, id);
  if (is_narrow && from == loops::Type::Long) from = loops::Type::Int;
  if (is_narrow && to == loops::Type::Long) to = loops::Type::Int;
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (const ExprId operand : expression.operands)
    operands.push_back(is_narrow ? Narrow(operand) : Varies(id) ? InLanes(operand) : Of(operand));
  if (expression.op == Op::kCast) return Cast(code_, operands[0], from, to);
  // Lanes that are not there have read 0, and a division by that ends the process.
  if (DividesIntegers(expression.op, from) && Varies(id) && rest_.mask != nullptr)
    operands[1] = code_.builder.CreateSelect(rest_.mask, operands[1],
                                             llvm::ConstantInt::get(operands[1]->getType(), 1));
  const llvm::IRBuilderBase::FastMathFlagGuard guard(code_.builder);
  if (is_fenced_[Index(id)]) code_.builder.clearFastMathFlags();
  if (llvm::Value* value = Arithmetic(code_, expression.op, from, operands)) return value;
  return MathFunction(code_, expression.op, operands, shared_.PlacingOf(expression.op));
}

llvm::Value* Expressions::Start(ExprId id) {
  if (!Varies(id)) return Of(id);
  return scopes_.At(depths_[Index(id)], &Scope::starts, Index(id),
                    [&] { return WrittenStart(kernel_.body[id]); });
}

llvm::Value* Expressions::WrittenStart(const Expression& expression) {
  if (expression.op == Op::kIndex) return variables_[static_cast<size_t>(expression.integer)].value;
  llvm::Value* left = Start(expression.operands[0]);
  llvm::Value* right = Start(expression.operands[1]);
  if (expression.op == Op::kAdd) return code_.builder.CreateAdd(left, right);
  if (expression.op == Op::kSub) return code_.builder.CreateSub(left, right);
  return code_.builder.CreateMul(left, right);
}

llvm::Value* Expressions::Step(ExprId id) {
  if (!Varies(id)) return code_.Long(0);
  return scopes_.At(depths_[Index(id)], &Scope::steps, Index(id),
                    [&] { return WrittenStep(kernel_.body[id]); });
}

llvm::Value* Expressions::WrittenStep(const Expression& expression) {
  if (expression.op == Op::kIndex) return code_.Long(1);
  const ExprId left = expression.operands[0];
  const ExprId right = expression.operands[1];
  if (expression.op == Op::kAdd) return code_.builder.CreateAdd(Step(left), Step(right));
  if (expression.op == Op::kSub) return code_.builder.CreateSub(Step(left), Step(right));
  return Varies(left) ? code_.builder.CreateMul(Step(left), Of(right))
                      : code_.builder.CreateMul(Of(left), Step(right));
}

}  // namespace culprit::compiler::codegen
