// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/function/function_writer.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <numeric>
#include <utility>

#include "base/internal_error.h"

namespace culprit::compiler::codegen {

FunctionWriter::FunctionWriter(const Processor& processor, const Options& options, const Shape& shape)
    : module("culprit", context),
      builder(context),
      processor(processor),
      options(options),
      shape(shape),
      lanes(shape.lanes) {
  llvm::TargetMachine& machine = MachineFor(processor);
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Type* integer = builder.getInt64Ty();
  function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, integer, integer}, false),
      llvm::Function::ExternalLinkage, llvm::StringRef(kEntryName), module);
  SetAttributes();
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  if (options.math == Math::kFast) {
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    builder.setFastMathFlags(flags);
  }
}

void FunctionWriter::SetAttributes() {
  function->addFnAttr(llvm::Attribute::NoUnwind);
  // Without these LLVM may take 512 bits apart, in calls of SLEEF too.
  const std::string bits = std::to_string(processor.register_bits);
  function->addFnAttr("prefer-vector-width", bits);
  function->addFnAttr("min-legal-vector-width", bits);
  // A register that is kept on the stack must not lie across two lines of memory, least of all in two pages;
  // where callers have left the stack differs from process to process.
  function->addFnAttr(llvm::Attribute::getWithStackAlignment(context, llvm::Align(kBytesOfLine)));
}

llvm::Type* FunctionWriter::TypeOf(loops::Type type) {
  switch (type) {
    case loops::Type::Bool:
      return builder.getInt1Ty();
    case loops::Type::Byte:
    case loops::Type::Char:
      return builder.getInt8Ty();
    case loops::Type::Short:
      return builder.getInt16Ty();
    case loops::Type::Int:
      return builder.getInt32Ty();
    case loops::Type::Long:
      return builder.getInt64Ty();
    case loops::Type::Float:
      return builder.getFloatTy();
    case loops::Type::Double:
      return builder.getDoubleTy();
    default:
      CULPRIT_CHECK(false, "no registers for {}", loops::NameOf(type));
  }
}

llvm::Type* FunctionWriter::MemoryType(at::ScalarType dtype) {
  if (dtype == at::kBool) return builder.getInt8Ty();
  if (dtype == at::kHalf) return builder.getHalfTy();
  if (dtype == at::kBFloat16) return builder.getInt16Ty();
  return TypeOf(dtype);
}

llvm::Type* FunctionWriter::WithLanes(llvm::Type* scalar, unsigned count) {
  return count == 1 ? scalar : llvm::FixedVectorType::get(scalar, count);
}

unsigned FunctionWriter::LanesOf(const llvm::Value* value) {
  const auto* wide = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return wide == nullptr ? 1 : wide->getNumElements();
}

llvm::Value* FunctionWriter::Splat(llvm::Value* scalar) {
  return lanes == 1 ? scalar : builder.CreateVectorSplat(lanes, scalar);
}

llvm::Constant* FunctionWriter::Iota(llvm::Type* scalar) {
  if (lanes == 1) return llvm::ConstantInt::get(scalar, 0);
  std::vector<llvm::Constant*> values;
  for (unsigned i = 0; i < lanes; ++i) values.push_back(llvm::ConstantInt::get(scalar, i));
  return llvm::ConstantVector::get(values);
}

llvm::AllocaInst* FunctionWriter::Allocated(llvm::Type* type) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> start(&entry, entry.begin());
  return start.CreateAlloca(type);
}

llvm::AllocaInst* FunctionWriter::Slot(llvm::Type* type) {
  return slots_.emplace_back(Allocated(type));
}

llvm::AllocaInst* FunctionWriter::Scratch(llvm::Type* type) {
  return Allocated(type);
}

llvm::AllocaInst* FunctionWriter::Zeros() {
  if (zeros_ == nullptr) {
    zeros_ = Scratch(builder.getInt64Ty());
    llvm::IRBuilder<> behind(zeros_->getParent(), std::next(zeros_->getIterator()));
    behind.CreateStore(Long(0), zeros_);
  }
  return zeros_;
}

llvm::AllocaInst* FunctionWriter::Nowhere() {
  if (nowhere_ == nullptr) nowhere_ = Scratch(builder.getInt64Ty());
  return nowhere_;
}

void FunctionWriter::SlotsToRegisters() {
  llvm::DominatorTree tree(*function);
  llvm::PromoteMemToReg(slots_, tree);
  slots_.clear();
}

llvm::FunctionCallee FunctionWriter::Outside(const std::string& name, llvm::Type* result, unsigned operands) {
  const std::vector<llvm::Type*> types(operands, result);
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  if (auto* declared = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    declared->setDoesNotThrow();
    declared->setDoesNotAccessMemory();
  }
  return callee;
}

llvm::Function* FunctionWriter::Inside(const std::string& name, llvm::Type* type,
                                       llvm::function_ref<llvm::Value*(llvm::Value*)> body) {
  llvm::Function* made = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false),
                                                llvm::Function::InternalLinkage, name, module);
  const llvm::IRBuilderBase::InsertPointGuard back(builder);
  std::vector<llvm::AllocaInst*> outer_slots = std::exchange(slots_, {});
  llvm::Function* outer = std::exchange(function, made);
  SetAttributes();
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", made));
  llvm::Value* result = body(made->getArg(0));
  if (result != nullptr) {
    builder.CreateRet(result);
    SlotsToRegisters();
  } else {
    made->eraseFromParent();
    made = nullptr;
  }
  function = outer;
  slots_ = std::move(outer_slots);
  return made;
}

void FunctionWriter::Announce(llvm::Value* address, uint64_t lines, Use use) {
  for (uint64_t line = 0; line < lines; ++line) {
    llvm::Value* at = builder.CreateConstGEP1_64(builder.getInt8Ty(), address, line * kBytesOfLine);
    // To stay, into the cache of data.
    builder.CreateIntrinsic(
        builder.getVoidTy(), llvm::Intrinsic::prefetch,
        {at, builder.getInt32(use == Use::kWrite ? 1 : 0), builder.getInt32(3), builder.getInt32(1)});
  }
}

// One register of conditions gives its bits in one instruction, so integers become one register first.
llvm::Value* FunctionWriter::IsAnyAbove(llvm::Value* integers, uint32_t limit) {
  unsigned count = LanesOf(integers);
  for (; count > processor.register_bits / 32; count /= 2) {
    std::vector<int> low(count / 2);
    std::iota(low.begin(), low.end(), 0);
    std::vector<int> high(count / 2);
    std::iota(high.begin(), high.end(), static_cast<int>(count / 2));
    integers =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, builder.CreateShuffleVector(integers, low),
                                      builder.CreateShuffleVector(integers, high));
  }
  llvm::Value* above = builder.CreateICmpSGT(integers, llvm::ConstantInt::get(integers->getType(), limit));
  if (count == 1) return above;
  llvm::Type* bits = builder.getIntNTy(count);
  return builder.CreateICmpNE(builder.CreateBitCast(above, bits), llvm::ConstantInt::get(bits, 0));
}

llvm::Value* FunctionWriter::IfAbove(llvm::Value* integers, uint32_t limit, llvm::Value* no,
                                     llvm::function_ref<llvm::Value*()> yes) {
  llvm::Value* any = IsAnyAbove(integers, limit);
  llvm::AllocaInst* result = Slot(no->getType());
  builder.CreateStore(no, result);

  // Where a loop begins already, its jump moves behind.
  llvm::BasicBlock* block = builder.GetInsertBlock();
  llvm::BasicBlock* rest = nullptr;
  if (block->getTerminator() != nullptr) {
    rest = block->splitBasicBlock(builder.GetInsertPoint());
    block->getTerminator()->eraseFromParent();
  } else {
    rest = llvm::BasicBlock::Create(context, "", function);
  }
  llvm::BasicBlock* rare = llvm::BasicBlock::Create(context, "rare", function);
  builder.SetInsertPoint(block);
  builder.CreateCondBr(any, rare, rest, llvm::MDBuilder(context).createUnlikelyBranchWeights());
  builder.SetInsertPoint(rare);
  builder.CreateStore(yes(), result);
  builder.CreateBr(rest);
  builder.SetInsertPoint(rest, rest->begin());
  return builder.CreateLoad(result->getAllocatedType(), result);
}

bool Is(const llvm::Value* value, int64_t constant) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known != nullptr && known->getSExtValue() == constant;
}

}  // namespace culprit::compiler::codegen
