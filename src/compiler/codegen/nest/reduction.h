// SPDX-License-Identifier: Apache-2.0
//
// What a stage combines, in registers: one value per lane, in several copies, so that one addition need not
// wait for the one before. Sums of floats are made in two steps, blocks and then these, and what a sum of
// blocks loses is kept: the error of a long sum is that of a block.
#pragma once

#include <vector>

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

class Accumulator {
 public:
  struct Shape {
    unsigned lanes = 1;
    unsigned copies = 1;
    bool in_blocks = false;
  };

  Accumulator(FunctionWriter& code, loops::Combine combine, loops::Type type, const Shape& shape);

  void Start();
  /// Combines a value per lane; `place` is the number of each iteration, for arg_min and arg_max; `mask`, if
  /// there is one, says which lanes are there.
  void Add(unsigned copy, llvm::Value* value, llvm::Value* place, llvm::Value* mask);
  void EndBlock();

  /// What there is by now, per lane: a value, or a place.
  llvm::Value* InLanes();
  /// The same of all lanes together.
  llvm::Value* Whole();

 private:
  struct State {
    llvm::Value* value = nullptr;
    llvm::Value* place = nullptr;
  };
  struct Slots {
    llvm::AllocaInst* value = nullptr;
    llvm::AllocaInst* place = nullptr;
  };

  Slots NewSlots();
  State Read(const Slots& slots);
  void Write(const Slots& slots, const State& state);
  State Nothing();
  State Combined(const State& left, const State& right);
  llvm::Value* IsBetter(const State& left, const State& right);
  /// Of all copies.
  State OfCopies();
  State Total();
  llvm::Value* Result(const State& state) const { return finds_place_ ? state.place : state.value; }

  FunctionWriter& code_;
  loops::Combine combine_;
  loops::Type type_;
  unsigned lanes_;
  bool finds_place_;
  std::vector<Slots> copies_;
  /// The sum of blocks that are done, and what it has lost.
  llvm::AllocaInst* blocks_ = nullptr;
  llvm::AllocaInst* lost_ = nullptr;
};

/// Sums of floats lose precision with their length.
bool WantsBlocks(loops::Combine combine, loops::Type type);

}  // namespace culprit::compiler::codegen
