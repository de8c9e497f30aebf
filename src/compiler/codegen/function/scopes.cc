// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/function/scopes.h"

namespace culprit::compiler::codegen {
namespace {

std::optional<int64_t> Known(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant == nullptr ? std::nullopt : std::optional(constant->getSExtValue());
}

}  // namespace

void Scopes::ContinueAt(size_t depth) {
  scopes_[current_].block = code_.builder.GetInsertBlock();
  current_ = depth;
  llvm::BasicBlock* block = scopes_[depth].block;
  if (llvm::Instruction* end = block->getTerminator())
    code_.builder.SetInsertPoint(end);
  else
    code_.builder.SetInsertPoint(block);
}

llvm::Value* Scopes::At(size_t depth, Cache cache, uint32_t key, llvm::function_ref<llvm::Value*()> write) {
  if (const auto found = (scopes_[depth].*cache).find(key); found != (scopes_[depth].*cache).end())
    return found->second;
  const size_t before = current_;
  if (before != depth) ContinueAt(depth);
  llvm::Value* value = write();
  if (before != depth) ContinueAt(before);
  (scopes_[depth].*cache)[key] = value;
  return value;
}

void Scopes::Open(llvm::BasicBlock* block) {
  scopes_[current_].block = code_.builder.GetInsertBlock();
  scopes_.push_back({block});
  current_ = scopes_.size() - 1;
  code_.builder.SetInsertPoint(block);
}

void Scopes::Close(llvm::BasicBlock* behind) {
  scopes_.pop_back();
  current_ = scopes_.size() - 1;
  scopes_[current_].block = behind;
  code_.builder.SetInsertPoint(behind);
}

void Scopes::Block(llvm::function_ref<void()> body) {
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(code_.context, "", code_.function);
  code_.builder.CreateBr(inside);
  Open(inside);
  body();
  Close(code_.builder.GetInsertBlock());
}

void Scopes::If(llvm::Value* condition, llvm::function_ref<void()> body) {
  if (Is(condition, 0)) return;
  if (Is(condition, -1)) return Block(body);
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(code_.context, "", code_.function);
  llvm::BasicBlock* behind = llvm::BasicBlock::Create(code_.context, "", code_.function);
  code_.builder.CreateCondBr(condition, inside, behind);
  Open(inside);
  body();
  code_.builder.CreateBr(behind);
  Close(behind);
}

void Scopes::Loop(llvm::Value* from, llvm::Value* to, int64_t step,
                  llvm::function_ref<void(llvm::Value*)> body) {
  llvm::IRBuilder<>& builder = code_.builder;
  const std::optional<int64_t> first = Known(from);
  const std::optional<int64_t> last = Known(to);
  if (first && last && *first + step >= *last) {
    if (*first < *last) Block([&] { body(from); });
    return;
  }
  llvm::AllocaInst* counter = code_.Slot(builder.getInt64Ty());
  builder.CreateStore(from, counter);
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(code_.context, "", code_.function);
  llvm::BasicBlock* behind = llvm::BasicBlock::Create(code_.context, "", code_.function);
  if (first && last)
    builder.CreateBr(inside);
  else
    builder.CreateCondBr(builder.CreateICmpSLT(from, to), inside, behind);
  Open(inside);
  llvm::Value* index = builder.CreateLoad(builder.getInt64Ty(), counter);
  body(index);
  llvm::Value* next = builder.CreateNSWAdd(index, code_.Long(step));
  builder.CreateStore(next, counter);
  builder.CreateCondBr(builder.CreateICmpSLT(next, to), inside, behind);
  Close(behind);
}

}  // namespace culprit::compiler::codegen
