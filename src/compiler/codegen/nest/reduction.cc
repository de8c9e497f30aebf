// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/reduction.h"

#include <limits>

#include "base/internal_error.h"
#include "compiler/codegen/math/arithmetic.h"

namespace culprit::compiler::codegen {

using llvm::Value;
using loops::Combine;
using loops::Op;
using loops::Type;

namespace {

bool WantsSmall(Combine combine) {
  return combine == Combine::kMin || combine == Combine::kArgMin;
}

/// Larger than all others of the type, or smaller.
llvm::Constant* Extreme(llvm::Type* scalar, Type type, bool largest) {
  if (loops::IsFloat(type)) return llvm::ConstantFP::getInfinity(scalar, !largest);
  const unsigned bits = scalar->getIntegerBitWidth();
  if (type == Type::Byte || type == Type::Bool)
    return llvm::ConstantInt::get(scalar,
                                  largest ? llvm::APInt::getMaxValue(bits) : llvm::APInt::getMinValue(bits));
  return llvm::ConstantInt::get(
      scalar, largest ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getSignedMinValue(bits));
}

/// What combined with any value gives that.
llvm::Constant* Identity(llvm::Type* scalar, Combine combine, Type type) {
  switch (combine) {
    case Combine::kSum:
      return llvm::Constant::getNullValue(scalar);
    case Combine::kProduct:
      return loops::IsFloat(type) ? FunctionWriter::Number(scalar, 1) : llvm::ConstantInt::get(scalar, 1);
    case Combine::kAnd:
      return llvm::ConstantInt::getTrue(scalar);
    case Combine::kOr:
      return llvm::ConstantInt::getFalse(scalar);
    default:
      return Extreme(scalar, type, WantsSmall(combine));
  }
}

llvm::Constant* LikeVector(llvm::Constant* scalar, unsigned lanes) {
  return lanes == 1 ? scalar : llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes), scalar);
}

}  // namespace

bool WantsBlocks(Combine combine, Type type) {
  return combine == Combine::kSum && loops::IsFloat(type);
}

Accumulator::Accumulator(FunctionWriter& code, Combine combine, Type type, const Shape& shape)
    : code_(code),
      combine_(combine),
      type_(type),
      lanes_(shape.lanes),
      finds_place_(loops::FindsPlace(combine)) {
  for (unsigned i = 0; i < shape.copies; ++i) copies_.push_back(NewSlots());
  if (!shape.in_blocks) return;
  blocks_ = NewSlots().value;
  lost_ = NewSlots().value;
}

Accumulator::Slots Accumulator::NewSlots() {
  Slots slots{code_.Slot(FunctionWriter::WithLanes(code_.TypeOf(type_), lanes_))};
  if (finds_place_) slots.place = code_.Slot(FunctionWriter::WithLanes(code_.builder.getInt64Ty(), lanes_));
  return slots;
}

Accumulator::State Accumulator::Read(const Slots& slots) {
  State state{code_.builder.CreateLoad(slots.value->getAllocatedType(), slots.value)};
  if (finds_place_) state.place = code_.builder.CreateLoad(slots.place->getAllocatedType(), slots.place);
  return state;
}

void Accumulator::Write(const Slots& slots, const State& state) {
  code_.builder.CreateStore(state.value, slots.value);
  if (finds_place_) code_.builder.CreateStore(state.place, slots.place);
}

Accumulator::State Accumulator::Nothing() {
  State state{LikeVector(Identity(code_.TypeOf(type_), combine_, type_), lanes_)};
  if (finds_place_) state.place = LikeVector(code_.Long(std::numeric_limits<int64_t>::max()), lanes_);
  return state;
}

void Accumulator::Start() {
  for (const Slots& slots : copies_) Write(slots, Nothing());
  if (blocks_ == nullptr) return;
  code_.builder.CreateStore(Nothing().value, blocks_);
  code_.builder.CreateStore(Nothing().value, lost_);
}

void Accumulator::Add(unsigned copy, Value* value, Value* place, Value* mask) {
  State added{value, finds_place_ ? place : nullptr};
  if (mask != nullptr) {
    const State nothing = Nothing();
    added.value = code_.builder.CreateSelect(mask, value, nothing.value);
    if (finds_place_) added.place = code_.builder.CreateSelect(mask, place, nothing.place);
  }
  Write(copies_[copy], Combined(Read(copies_[copy]), added));
}

// The first of equal ones: the one with the smaller place. NaN is better than all others; of two the first,
// or the last, if the loop wants that.
Value* Accumulator::IsBetter(const State& left, const State& right) {
  llvm::IRBuilder<>& builder = code_.builder;
  const Op op = WantsSmall(combine_) ? Op::kLt : Op::kGt;
  Value* better = Arithmetic(code_, op, type_, {left.value, right.value});
  Value* equal = Arithmetic(code_, Op::kEq, type_, {left.value, right.value});
  Value* is_before = builder.CreateICmpSLT(left.place, right.place);
  if (loops::IsFloat(type_)) {
    Value* left_is_nan = builder.CreateFCmpUNO(left.value, left.value);
    Value* right_is_nan = builder.CreateFCmpUNO(right.value, right.value);
    Value* is_better_nan = builder.CreateNot(right_is_nan);
    if (combine_ == Combine::kArgMaxLastNan)
      is_better_nan = builder.CreateOr(is_better_nan, builder.CreateNot(is_before));
    else
      equal = builder.CreateOr(equal, builder.CreateAnd(left_is_nan, right_is_nan));
    better = builder.CreateOr(better, builder.CreateAnd(left_is_nan, is_better_nan));
  }
  return builder.CreateOr(better, builder.CreateAnd(equal, is_before));
}

Accumulator::State Accumulator::Combined(const State& left, const State& right) {
  llvm::IRBuilder<>& builder = code_.builder;
  switch (combine_) {
    case Combine::kSum: {
      Value* sum = Arithmetic(code_, Op::kAdd, type_, {left.value, right.value});
      // What the vectors do by hand, LLVM may do by itself.
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(sum);
          instruction != nullptr && loops::IsFloat(type_) && code_.options.route == Route::kLlvmO3)
        instruction->setHasAllowReassoc(true);
      return {sum};
    }
    case Combine::kProduct:
      return {Arithmetic(code_, Op::kMul, type_, {left.value, right.value})};
    case Combine::kMin:
      return {Minimum(code_, type_, left.value, right.value)};
    case Combine::kMax:
      return {Maximum(code_, type_, left.value, right.value)};
    case Combine::kMaxOfNumbers:
      if (loops::IsFloat(type_))
        return {
            builder.CreateSelect(builder.CreateFCmpOGT(left.value, right.value), left.value, right.value)};
      return {Maximum(code_, type_, left.value, right.value)};
    case Combine::kAnd:
      return {builder.CreateAnd(left.value, right.value)};
    case Combine::kOr:
      return {builder.CreateOr(left.value, right.value)};
    case Combine::kArgMin:
    case Combine::kArgMax:
    case Combine::kArgMaxLastNan: {
      Value* better = IsBetter(right, left);
      return {builder.CreateSelect(better, right.value, left.value),
              builder.CreateSelect(better, right.place, left.place)};
    }
  }
  CULPRIT_CHECK(false, "no such way to combine");
}

Accumulator::State Accumulator::OfCopies() {
  State total = Read(copies_[0]);
  for (size_t i = 1; i < copies_.size(); ++i) total = Combined(total, Read(copies_[i]));
  return total;
}

// Knuth's sum of two numbers and its error.
void Accumulator::EndBlock() {
  if (blocks_ == nullptr) return;
  llvm::IRBuilder<>& builder = code_.builder;
  llvm::Type* type = blocks_->getAllocatedType();
  Value* added = OfCopies().value;
  Value* before = builder.CreateLoad(type, blocks_);
  Value* sum = builder.CreateFAdd(before, added);
  Value* of_added = builder.CreateFSub(sum, before);
  Value* error = builder.CreateFAdd(builder.CreateFSub(before, builder.CreateFSub(sum, of_added)),
                                    builder.CreateFSub(added, of_added));
  builder.CreateStore(sum, blocks_);
  builder.CreateStore(builder.CreateFAdd(builder.CreateLoad(type, lost_), error), lost_);
  for (const Slots& slots : copies_) Write(slots, Nothing());
}

Accumulator::State Accumulator::Total() {
  State total = OfCopies();
  if (blocks_ == nullptr) return total;
  llvm::IRBuilder<>& builder = code_.builder;
  llvm::Type* type = blocks_->getAllocatedType();
  Value* lost = builder.CreateLoad(type, lost_);
  // Infinite sums have lost NaN.
  lost = builder.CreateSelect(builder.CreateFCmpUNO(lost, lost), llvm::Constant::getNullValue(type), lost);
  total.value = builder.CreateFAdd(builder.CreateLoad(type, blocks_), builder.CreateFAdd(total.value, lost));
  return total;
}

Value* Accumulator::InLanes() {
  return Result(Total());
}

Value* Accumulator::Whole() {
  State total = Total();
  for (unsigned lanes = lanes_; lanes > 1; lanes /= 2) {
    std::vector<int> low(lanes / 2);
    std::vector<int> high(lanes / 2);
    for (unsigned i = 0; i < lanes / 2; ++i) {
      low[i] = static_cast<int>(i);
      high[i] = static_cast<int>(i + lanes / 2);
    }
    const auto half = [&](const std::vector<int>& which) {
      State state{code_.builder.CreateShuffleVector(total.value, which)};
      if (finds_place_) state.place = code_.builder.CreateShuffleVector(total.place, which);
      return state;
    };
    total = Combined(half(low), half(high));
  }
  Value* result = Result(total);
  return lanes_ == 1 ? result : code_.builder.CreateExtractElement(result, uint64_t{0});
}

}  // namespace culprit::compiler::codegen
