// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/memory_access.h"

#include <c10/core/ScalarType.h>

#include "compiler/codegen/math/casts.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::ExprId;

/// Elements of one buffer, one per lane.
class Elements {
 public:
  Elements(Expressions& expressions, uint32_t buffer, ExprId index)
      : expressions_(expressions),
        code_(expressions.code()),
        builder_(code_.builder),
        index_(index),
        element_(code_.MemoryType(expressions.kernel().buffers[buffer].dtype)),
        bytes_(static_cast<unsigned>(c10::elementSize(expressions.kernel().buffers[buffer].dtype))),
        address_(expressions.BufferAddress(buffer)) {
    if (code_.lanes > 1 && expressions.IsAffine(index)) step_ = expressions.Step(index);
  }

  llvm::Type* element() const { return element_; }
  llvm::Align align() const { return llvm::Align(bytes_); }
  bool AreConsecutive() const { return code_.lanes > 1 && step_ != nullptr && Is(step_, 1); }
  bool AreOne() const { return code_.lanes == 1 || (step_ != nullptr && Is(step_, 0)); }

  /// Of the first lane's element.
  Value* First() { return builder_.CreateGEP(element_, address_, FirstIndex()); }

  Value* Of(unsigned lane) {
    if (step_ == nullptr)
      return builder_.CreateGEP(element_, address_,
                                builder_.CreateExtractElement(expressions_.Of(index_), lane));
    return builder_.CreateGEP(element_, First(), builder_.CreateMul(step_, code_.Long(lane)));
  }

  Value* OfAll() {
    Value* index = expressions_.Varies(index_) ? expressions_.Of(index_) : expressions_.InLanes(index_);
    return builder_.CreateGEP(element_, address_, index);
  }

  /// Whether the processor moves consecutive ones by a mask; any with one.
  bool CanMask() const {
    return bytes_ >= 4 ? code_.processor.has_masked_moves : code_.processor.has_byte_masks;
  }
  bool CanGather() const { return bytes_ >= 4 && code_.processor.has_masks; }

 private:
  Value* FirstIndex() {
    if (code_.lanes == 1) return expressions_.Of(index_);
    return expressions_.Start(index_);
  }

  Expressions& expressions_;
  FunctionWriter& code_;
  llvm::IRBuilder<>& builder_;
  ExprId index_;
  llvm::Type* element_;
  unsigned bytes_;
  Value* address_;
  /// Null: the places have no rule.
  Value* step_ = nullptr;
};

/// `address`, or where the mask is false that of other memory.
Value* Guarded(FunctionWriter& code, Value* address, Value* mask, Value* other) {
  return mask == nullptr ? address : code.builder.CreateSelect(mask, address, other);
}

Value* Lane(FunctionWriter& code, Value* vector, unsigned lane) {
  return vector == nullptr ? nullptr : code.builder.CreateExtractElement(vector, lane);
}

/// The first `count` elements by way of memory of the kernel's own: no instruction moves parts of a vector
/// of small elements.
Value* LoadFew(FunctionWriter& code, Elements& elements, Value* count) {
  llvm::Type* type = code.Wide(elements.element());
  llvm::AllocaInst* copy = code.Scratch(type);
  code.builder.CreateStore(llvm::Constant::getNullValue(type), copy);
  Value* bytes = code.builder.CreateMul(count, code.Long(static_cast<int64_t>(elements.align().value())));
  code.builder.CreateMemCpy(copy, copy->getAlign(), elements.First(), elements.align(), bytes);
  return code.builder.CreateLoad(type, copy);
}

void StoreFew(FunctionWriter& code, Elements& elements, Value* value, Value* count) {
  llvm::AllocaInst* copy = code.Scratch(value->getType());
  code.builder.CreateStore(value, copy);
  Value* bytes = code.builder.CreateMul(count, code.Long(static_cast<int64_t>(elements.align().value())));
  code.builder.CreateMemCpy(elements.First(), elements.align(), copy, copy->getAlign(), bytes);
}

Value* LoadOneByOne(FunctionWriter& code, Elements& elements, Value* mask) {
  Value* result = llvm::PoisonValue::get(code.Wide(elements.element()));
  for (unsigned lane = 0; lane < code.lanes; ++lane) {
    Value* address = Guarded(code, elements.Of(lane), Lane(code, mask, lane), code.Zeros());
    result = code.builder.CreateInsertElement(
        result, code.builder.CreateAlignedLoad(elements.element(), address, elements.align()), lane);
  }
  return result;
}

/// `masked`: by the load's own mask, too.
Value* LoadLanes(FunctionWriter& code, Elements& elements, Value* mask, const Rest& rest, bool masked) {
  llvm::IRBuilder<>& builder = code.builder;
  llvm::Type* type = code.Wide(elements.element());
  llvm::Constant* zero = llvm::Constant::getNullValue(type);
  if (elements.AreConsecutive()) {
    if (mask == nullptr) return builder.CreateAlignedLoad(type, elements.First(), elements.align());
    if (elements.CanMask())
      return builder.CreateMaskedLoad(type, elements.First(), elements.align(), mask, zero);
    if (!masked) return LoadFew(code, elements, rest.count);
  }
  if (elements.CanGather())
    return builder.CreateMaskedGather(type, elements.OfAll(), elements.align(), mask, zero);
  return LoadOneByOne(code, elements, mask);
}

void AskFor(Expressions& expressions, Elements& elements, ReadAheadDistance distance,
            FunctionWriter::Use use) {
  if (distance == ReadAheadDistance::kNone || expressions.rest().mask != nullptr ||
      !elements.AreConsecutive())
    return;
  FunctionWriter& code = expressions.code();
  const loops::Kernel& kernel = expressions.kernel();
  const auto element = static_cast<int64_t>(elements.align().value());
  Value* elements_ahead =
      distance == ReadAheadDistance::kPage
          ? code.Long(ReadAhead::kBytes / element)
          : expressions.Of(kernel.extents[kernel.stages[expressions.stage()].variables.back()]);
  Value* there = code.builder.CreateGEP(elements.element(), elements.First(), elements_ahead);
  const uint64_t bytes = code.lanes * elements.align().value();
  code.Announce(there, (bytes + FunctionWriter::kBytesOfLine - 1) / FunctionWriter::kBytesOfLine, use);
}

Value* And(FunctionWriter& code, Value* left, Value* right) {
  if (left == nullptr || right == nullptr) return left == nullptr ? right : left;
  return code.builder.CreateAnd(left, right);
}

}  // namespace

Value* Load(Expressions& expressions, const loops::Expression& load, bool varies) {
  FunctionWriter& code = expressions.code();
  const auto buffer = static_cast<uint32_t>(load.integer);
  const at::ScalarType dtype = expressions.kernel().buffers[buffer].dtype;
  Elements elements(expressions, buffer, load.operands[0]);
  if (!varies || code.lanes == 1) {
    Value* mask = load.masked ? expressions.Of(load.operands[1]) : nullptr;
    Value* address = Guarded(code, elements.First(), mask, code.Zeros());
    return FromMemory(code, code.builder.CreateAlignedLoad(elements.element(), address, elements.align()),
                      dtype);
  }
  AskFor(expressions, elements,
         expressions.read_ahead().OfLoad(expressions.stage(), buffer, load.operands[0]),
         FunctionWriter::Use::kRead);
  Value* mask = load.masked ? expressions.InLanes(load.operands[1]) : nullptr;
  mask = And(code, mask, expressions.rest().mask);
  return FromMemory(code, LoadLanes(code, elements, mask, expressions.rest(), load.masked), dtype);
}

void BufferStore(Expressions& expressions, const loops::BufferStore& store, Value* value) {
  FunctionWriter& code = expressions.code();
  llvm::IRBuilder<>& builder = code.builder;
  Elements elements(expressions, store.buffer, store.index);
  value = ToMemory(code, value, expressions.kernel().buffers[store.buffer].dtype);
  if (elements.AreOne()) {
    if (value->getType()->isVectorTy()) value = builder.CreateExtractElement(value, uint64_t{0});
    builder.CreateAlignedStore(value, elements.First(), elements.align());
    return;
  }
  const Rest& rest = expressions.rest();
  AskFor(expressions, elements, expressions.read_ahead().OfStore(expressions.stage(), store),
         FunctionWriter::Use::kWrite);
  if (elements.AreConsecutive()) {
    if (rest.mask == nullptr)
      builder.CreateAlignedStore(value, elements.First(), elements.align());
    else if (elements.CanMask())
      builder.CreateMaskedStore(value, elements.First(), elements.align(), rest.mask);
    else
      StoreFew(code, elements, value, rest.count);
    return;
  }
  if (elements.CanGather()) {
    builder.CreateMaskedScatter(value, elements.OfAll(), elements.align(), rest.mask);
    return;
  }
  for (unsigned lane = 0; lane < code.lanes; ++lane) {
    Value* address = Guarded(code, elements.Of(lane), Lane(code, rest.mask, lane), code.Nowhere());
    builder.CreateAlignedStore(Lane(code, value, lane), address, elements.align());
  }
}

}  // namespace culprit::compiler::codegen
