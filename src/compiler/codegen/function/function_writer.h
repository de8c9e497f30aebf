// SPDX-License-Identifier: Apache-2.0
//
// The function under construction. Values are scalars, or vectors of `lanes` elements; with one lane these
// are the same. Everything that changes from iteration to iteration lives in slots, which become registers
// at the end.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <string>
#include <vector>

#include "compiler/codegen/analysis/shape.h"
#include "compiler/codegen/target/machine.h"
#include "compiler/codegen/target/options.h"

namespace culprit::compiler::codegen {

struct FunctionWriter {
  FunctionWriter(const Processor& processor, const Options& options, const Shape& shape);

  llvm::LLVMContext context;
  llvm::Module module;
  llvm::IRBuilder<> builder;
  llvm::Function* function = nullptr;
  const Processor& processor;
  const Options options;
  const Shape shape;
  const unsigned lanes;

  llvm::Type* TypeOf(loops::Type type);
  /// Of an element in memory: a Bool is a byte, a BFloat16 an integer of 16 bits.
  llvm::Type* MemoryType(at::ScalarType dtype);
  llvm::Type* Wide(llvm::Type* scalar) { return WithLanes(scalar, lanes); }
  static llvm::Type* WithLanes(llvm::Type* scalar, unsigned count);
  static unsigned LanesOf(const llvm::Value* value);

  llvm::Value* Splat(llvm::Value* scalar);
  /// 0, 1, 2 ... in each lane.
  llvm::Constant* Iota(llvm::Type* scalar);
  llvm::ConstantInt* Long(int64_t value) { return builder.getInt64(static_cast<uint64_t>(value)); }
  /// A number as a constant of the type, which may be that of vectors.
  static llvm::Constant* Number(llvm::Type* type, double value) { return llvm::ConstantFP::get(type, value); }

  llvm::AllocaInst* Slot(llvm::Type* type);
  /// Memory that stays memory.
  llvm::AllocaInst* Scratch(llvm::Type* type);
  /// As much as the largest element: of zeros, which is never written, and that may be written.
  llvm::AllocaInst* Zeros();
  llvm::AllocaInst* Nowhere();
  void SlotsToRegisters();

  llvm::FunctionCallee Outside(const std::string& name, llvm::Type* result, unsigned operands);
  /// A function of the module's own, of one argument of the type that it returns; null if its body is.
  llvm::Function* Inside(const std::string& name, llvm::Type* type,
                         llvm::function_ref<llvm::Value*(llvm::Value*)> body);
  llvm::Value* Intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> operands) {
    return builder.CreateIntrinsic(operands[0]->getType(), id, operands);
  }

  enum class Use : uint8_t { kRead, kWrite };
  /// So many lines of memory, from the address on, will be used. Where there is no memory nothing happens.
  void Announce(llvm::Value* address, uint64_t lines, Use use);
  static constexpr uint64_t kBytesOfLine = 64;

  /// `no`, but `yes` if one of the integers of 32 bits is above the limit.
  llvm::Value* IfAbove(llvm::Value* integers, uint32_t limit, llvm::Value* no,
                       llvm::function_ref<llvm::Value*()> yes);

 private:
  void SetAttributes();
  llvm::Value* IsAnyAbove(llvm::Value* integers, uint32_t limit);
  llvm::AllocaInst* Allocated(llvm::Type* type);

  std::vector<llvm::AllocaInst*> slots_;
  llvm::AllocaInst* zeros_ = nullptr;
  llvm::AllocaInst* nowhere_ = nullptr;
};

/// Whether it is a constant with this value.
bool Is(const llvm::Value* value, int64_t constant);

}  // namespace culprit::compiler::codegen
