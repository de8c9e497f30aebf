// SPDX-License-Identifier: Apache-2.0
//
// Blocks of code that contain each other: the function, a piece, a loop in it. While an inner one is being
// written, more code can still be put at the end of an outer one, before the inner one begins. So whatever
// is needed is written where it is needed for the first time, as far outside as it can be computed. That is
// before a loop even if the loop turns out to be empty, so nothing that is uniform in a loop may depend on
// its having iterations.
#pragma once

#include <unordered_map>

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

struct Scope {
  llvm::BasicBlock* block = nullptr;
  /// What is there by now: of expressions their values, these in all lanes, and of affine ones the first
  /// lane's and how much more each next lane's is.
  std::unordered_map<uint32_t, llvm::Value*> values = {};
  std::unordered_map<uint32_t, llvm::Value*> splats = {};
  std::unordered_map<uint32_t, llvm::Value*> starts = {};
  std::unordered_map<uint32_t, llvm::Value*> steps = {};
  std::unordered_map<uint32_t, llvm::Value*> buffers = {};
};

using Cache = std::unordered_map<uint32_t, llvm::Value*> Scope::*;

class Scopes {
 public:
  /// The function is the first scope, 0.
  explicit Scopes(FunctionWriter& code) : code_(code) { scopes_.push_back({code.builder.GetInsertBlock()}); }

  size_t innermost() const { return scopes_.size() - 1; }
  Scope& operator[](size_t depth) { return scopes_[depth]; }

  /// What the scope knows by this key; if nothing, `write` writes it there.
  llvm::Value* At(size_t depth, Cache cache, uint32_t key, llvm::function_ref<llvm::Value*()> write);

  /// A loop from `from` up to `to`. Loops that run never or once are none.
  void Loop(llvm::Value* from, llvm::Value* to, int64_t step, llvm::function_ref<void(llvm::Value*)> body);
  void If(llvm::Value* condition, llvm::function_ref<void()> body);
  /// Code in line, whose values are not known behind it.
  void Block(llvm::function_ref<void()> body);

 private:
  void Open(llvm::BasicBlock* block);
  void Close(llvm::BasicBlock* behind);
  void ContinueAt(size_t depth);

  FunctionWriter& code_;
  std::vector<Scope> scopes_;
  /// Where code is being written.
  size_t current_ = 0;
};

}  // namespace culprit::compiler::codegen
