// SPDX-License-Identifier: Apache-2.0
//
// Values of expressions, written where they are first needed: as far outside as their loop variables allow,
// as scalars unless they differ from lane to lane.
#pragma once

#include <optional>
#include <vector>

#include "compiler/codegen/analysis/dependence.h"
#include "compiler/codegen/analysis/read_ahead.h"
#include "compiler/codegen/function/scopes.h"
#include "compiler/codegen/math/shared_functions.h"

namespace culprit::compiler::codegen {

/// The last iteration of a loop over lanes, which has fewer of them.
struct Rest {
  /// How many, 1 to lanes - 1; null: all.
  llvm::Value* count = nullptr;
  /// Which.
  llvm::Value* mask = nullptr;
};

class Expressions {
 public:
  Expressions(FunctionWriter& code, Scopes& scopes, const loops::Kernel& kernel);

  FunctionWriter& code() { return code_; }
  Scopes& scopes() { return scopes_; }
  const loops::Kernel& kernel() const { return kernel_; }

  /// A stage begins in the innermost scope. What earlier stages have stored is read again.
  void BeginStage(std::optional<uint32_t> lane, size_t number);
  size_t stage() const { return stage_; }
  /// From the innermost scope on; of the lanes' variable the first lane's value.
  void SetVariable(uint32_t variable, llvm::Value* value);
  void SetRow(size_t stage, llvm::Value* value);
  llvm::Value* row(size_t stage) const { return rows_[stage].value; }
  /// To be called when variables or rows have changed.
  void Place();
  void set_rest(Rest rest) { rest_ = rest; }
  const Rest& rest() const { return rest_; }
  const ReadAhead& read_ahead() const { return read_ahead_; }

  bool Varies(loops::ExprId id) const { return dependence_.varies[Index(id)]; }
  bool IsAffine(loops::ExprId id) const { return dependence_.is_affine[Index(id)]; }

  /// A scalar, or a vector if it varies: of a Long in 32 bits if these are enough.
  llvm::Value* Of(loops::ExprId id);
  /// Always a vector, of the expression's type.
  llvm::Value* InLanes(loops::ExprId id);
  /// Of an affine expression: the first lane's value, and how much more each next lane's is.
  llvm::Value* Start(loops::ExprId id);
  llvm::Value* Step(loops::ExprId id);

  llvm::Value* BufferAddress(uint32_t buffer);

 private:
  struct Placed {
    llvm::Value* value = nullptr;
    size_t depth = 0;
  };

  llvm::Value* Written(const loops::Expression& expression, loops::ExprId id);
  llvm::Value* WrittenStart(const loops::Expression& expression);
  llvm::Value* WrittenStep(const loops::Expression& expression);
  llvm::Value* Operation(const loops::Expression& expression, loops::ExprId id);
  /// Whether it is a vector of 32 bits each.
  bool IsNarrow(loops::ExprId id) const {
    return code_.lanes > 1 && Varies(id) && dependence_.is_small[Index(id)];
  }
  /// Whether an operation on Longs works with 32 bits.
  bool WorksNarrow(const loops::Expression& expression, loops::ExprId id) const;
  llvm::Value* Narrow(loops::ExprId id);
  size_t DepthOf(const loops::Expression& expression) const;

  FunctionWriter& code_;
  Scopes& scopes_;
  const loops::Kernel& kernel_;
  const SharedFunctions shared_;
  const ReadAhead read_ahead_;
  /// Products behind fences: no sum takes them in.
  std::vector<bool> is_fenced_;
  Rest rest_;
  Dependence dependence_;
  std::optional<uint32_t> lane_;
  size_t stage_ = 0;
  size_t stage_depth_ = 0;
  std::vector<Placed> variables_;
  std::vector<Placed> rows_;
  std::vector<size_t> depths_;
};

}  // namespace culprit::compiler::codegen
