// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/capture_effects.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/internal_error.h"
#include "capture/breaks/breaks.h"
#include "capture/state/lazy_value.h"
#include "capture/vm/containers.h"
#include "capture/walk/call_on_fakes.h"
#include "capture/walk/fails_on_numbers.h"
#include "capture/walk/operator_policy.h"
#include "capture/walk/plan_state.h"
#include "graph/tensors/torch_error.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using torch::jit::Stack;

Stack DoNow(const vm::Instruction& instruction, Stack arguments) {
  Perform(instruction, arguments);
  return arguments;
}

}  // namespace

void CaptureEffects::Look(IValue& value) {
  const c10::intrusive_ptr<LazyValue> lazy = AsLazy(value);
  if (!lazy) return;
  const StatePlace& place = lazy->place;
  const GuardSource source = place.kind == StatePlace::Kind::kStack
                                 ? StackSource(real_, place.index)
                                 : RegisterSource(real_, place.frame, place.index);
  value = shadow_.Of(*FindSource(source, real_, nullptr), source);
  if (lazy->plus != 0) value = value.toInt() + lazy->plus;
}

IValue CaptureEffects::Next(const IValue& number) {
  const c10::intrusive_ptr<LazyValue> lazy = AsLazy(number);
  return lazy ? MakeLazy(lazy->place, lazy->plus + 1) : Effects::Next(number);
}

void CaptureEffects::Compare(const IValue& iteration, const IValue& maximum) {
  if (sample_ == nullptr) return;
  const bool goes_on = iteration.toInt() < maximum.toInt();
  sample_->log.Note("aten::lt", {iteration, maximum}, {IValue(goes_on)}, recorder_.operators(),
                    OriginOf(walk_));
}

IValue CaptureEffects::ReadConstant(const vm::Code& code, size_t index) {
  const IValue& constant = code.constants()[index];
  if (IsConstant(constant)) return constant;
  IValue shadow = shadow_.Of(constant, ConstantSource(code, index));
  if (IsConstantTensor(shadow)) numbers_.KnowConstant(shadow.toTensor(), constant.toTensor());
  return shadow;
}

bool CaptureEffects::IsConstantTensor(const IValue& shadow) const {
  if (!shadow.isTensor() || !shadow.toTensor().defined()) return false;
  const std::optional<SourceId> source = shadow_.SourceOf(shadow);
  return source && shadow_.source(*source).kind == SourceKind::kConstant &&
         graph::fake::World::IsFake(shadow.toTensor());
}

void CaptureEffects::CallOperator(const vm::Instruction& instruction, Stack& stack) {
  const vm::CalledOperator& called = *instruction.called;
  const size_t count = instruction.looks_at;
  const Stack arguments(stack.end() - static_cast<ptrdiff_t>(count), stack.end());
  Stack results;
  try {
    results = Call(instruction, arguments);
  } catch (const BreakRequest&) {
    throw;
  } catch (const base::InternalError&) {
    throw;
  } catch (const graph::fake::DataDependent& dependent) {
    throw BreakRequest(BreakKind::kDataDependentShape, dependent.op());
  } catch (const std::exception& error) {
    throw BreakRequest(BreakKind::kFailingOperator,
                       fmt::format("{}: {}", called.name, graph::TorchMessage(error)));
  }
  torch::jit::drop(stack, count);
  stack.insert(stack.end(), results.begin(), results.end());
}

Stack CaptureEffects::Call(const vm::Instruction& instruction, const Stack& arguments) {
  if (std::optional<Stack> numbers = numbers_.Try(instruction, arguments)) return *std::move(numbers);
  const vm::CalledOperator& called = *instruction.called;
  const Decision decision = Decide(called, arguments);
  switch (decision.treatment) {
    case Treatment::kBreak:
      throw BreakRequest(decision.kind, called.name);
    case Treatment::kRecord:
      return Record(instruction, arguments);
    case Treatment::kMakeConstant:
      return MakeConstant(instruction, arguments);
    case Treatment::kDoNow:
      break;
  }
  Stack results = DoNow(instruction, arguments);
  if (sample_ != nullptr)
    sample_->log.Note(called.name, arguments, results, recorder_.operators(), OriginOf(walk_));
  wrote_since_checkpoint_ = wrote_since_checkpoint_ || called.schema->is_mutable();
  reads_offsets_ = reads_offsets_ || called.name == "aten::storage_offset";
  return results;
}

Stack CaptureEffects::Record(const vm::Instruction& instruction, const Stack& arguments) {
  const vm::CalledOperator& called = *instruction.called;
  if (recorder_.operators() >= limits_.operators)
    throw BreakRequest(BreakKind::kTooLong, fmt::format("{} operators", recorder_.operators()));
  if (checkpointed_ >= limits_.checkpointed)
    throw BreakRequest(BreakKind::kTooLong,
                       fmt::format("{} values in {} checkpoints", checkpointed_, checkpoints_.size()));
  numbers_.BeforeWrite(instruction, arguments);
  std::vector<graph::Argument> bound = recorder_.Bind(*called.dispatched, arguments);
  Stack results = CallOnFakes(world_, *called.dispatched, arguments);
  if (NeedsCheckpoint() && MayFailOnNumbers(called, arguments)) PlanCheckpoint();
  NoteLengths(called, arguments, results);
  recorder_.Record(*called.dispatched, std::move(bound), results, OriginOf(walk_));
  return results;
}

void CaptureEffects::NoteLengths(const vm::CalledOperator& called, const Stack& arguments,
                                 const Results& results) {
  if (sample_ == nullptr || results.size() != 1 || !results[0].isList()) return;
  sample_->log.NoteLength(called.name, arguments, results[0].toListRef().size(), recorder_.operators(),
                          OriginOf(walk_));
}

bool CaptureEffects::NeedsCheckpoint() const {
  // Objects are their own shadows.
  const auto is = [](const IValue& a, const IValue& b) { return a.is(b); };
  return wrote_since_checkpoint_ || !std::ranges::equal(walk_.entered, entered_at_checkpoint_, is);
}

void CaptureEffects::PlanCheckpoint() {
  RecipePlanner planner(shadow_, recorder_);
  std::vector<Recipe> entered = planner.RecipesOf(walk_.entered);
  Writes writes = PlanWrites(planner, *this);
  wrote_since_checkpoint_ = false;
  entered_at_checkpoint_ = walk_.entered;
  checkpointed_ += entered.size() + writes.size();
  checkpoints_.push_back({graph::NodeId(recorder_.operators()), std::move(entered), std::move(writes)});
}

Stack CaptureEffects::MakeConstant(const vm::Instruction& instruction, const Stack& arguments) {
  const at::Tensor constant = DoNow(instruction, arguments).back().toTensor();
  if (constant.requires_grad())
    throw BreakRequest(BreakKind::kEffect, instruction.called->name + " with requires_grad");
  return {numbers_.Make(constant, IsWrittenDown(instruction))};
}

IValue CaptureEffects::GetAttribute(const vm::ObjectPtr& object, size_t slot) {
  if (IsNew(object.get())) return object->getSlot(slot);
  const Key key{object.get(), slot};
  const auto known = attributes_.find(key);
  if (known != attributes_.end()) return known->second;
  const std::optional<SourceId> whole = shadow_.SourceOf(object);
  CULPRIT_CHECK(whole, "an object of the program has no source");
  IValue value = shadow_.Of(object->getSlot(slot),
                            AttributeSource(shadow_.source(*whole), *whole, *object->type(), slot));
  attributes_.emplace(key, value);
  return value;
}

void CaptureEffects::SetAttribute(const vm::ObjectPtr& object, size_t slot, IValue value) {
  wrote_since_checkpoint_ = true;
  if (IsNew(object.get())) return object->setSlot(slot, std::move(value));
  const Key key{object.get(), slot};
  if (is_written_.insert(key).second) written_.push_back({object, slot});
  attributes_.insert_or_assign(key, std::move(value));
}

vm::ObjectPtr CaptureEffects::CreateObject(const c10::ClassTypePtr& type) {
  vm::ObjectPtr object = vm::MakeObject(type);
  new_.emplace(object.get(), object);
  return object;
}

void CaptureEffects::EnterFunction(torch::jit::Function& function) {
  if (disabled_.contains(function.name()) || disabled_.contains(function.qualname().qualifiedName()))
    throw BreakRequest(BreakKind::kDisabled, function.name());
  ++counters_.inlined_calls;
}

void CaptureEffects::CallNative(torch::jit::Function& function, Stack& /*stack*/) {
  throw BreakRequest(BreakKind::kNativeCall, function.qualname().qualifiedName());
}

void CaptureEffects::Fork(const vm::Code& /*code*/, Stack& /*stack*/, size_t /*arguments*/) {
  throw BreakRequest(BreakKind::kFork, "torch.jit.fork");
}

void CaptureEffects::MakeAwaitable(const std::shared_ptr<const vm::Code>& /*code*/, Stack& /*stack*/,
                                   size_t /*arguments*/) {
  throw BreakRequest(BreakKind::kFork, "torch.jit._awaitable");
}

void CaptureEffects::Wait(Stack& /*stack*/) {
  throw BreakRequest(BreakKind::kFork, "torch.jit.wait");
}

void CaptureEffects::Raise(const Stack& stack) {
  throw BreakRequest(BreakKind::kRaise, stack[stack.size() - 2].toStringRef());
}

void CaptureEffects::Warn(const vm::Instruction& /*instruction*/, Stack& /*stack*/) {
  throw BreakRequest(BreakKind::kWarning, "warnings.warn");
}

}  // namespace culprit::capture
