// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/machine.h"

#include <algorithm>
#include <limits>

#include "base/internal_error.h"
#include "capture/vm/containers.h"

namespace culprit::capture::vm {
namespace {

using c10::IValue;
using torch::jit::Stack;

/// Stack: iteration count, maximum, condition, carried values. Whether another iteration begins. The count
/// does not matter where there is no maximum, as in a `while`.
bool Loop(Stack& stack, size_t inputs, Effects& effects) {
  const auto values = stack.end() - static_cast<ptrdiff_t>(inputs + 1);
  effects.Look(values[1]);
  effects.Look(values[2]);
  const bool is_counted = values[1].toInt() != std::numeric_limits<int64_t>::max();
  if (is_counted) {
    effects.Look(values[0]);
    effects.Compare(values[0], values[1]);
  }
  if ((!is_counted || values[0].toInt() < values[1].toInt()) && values[2].toBool()) {
    values[2] = values[0];
    values[0] = effects.Next(values[0]);
    return true;
  }
  std::move(values + 3, stack.end(), values);
  torch::jit::drop(stack, 3);
  return false;
}

void Store(Frame& frame, Stack& stack, const Instruction& instruction, size_t count) {
  for (size_t i = count; i > 0; --i)
    frame.registers[static_cast<size_t>(instruction.operand) + i - 1] = torch::jit::pop(stack);
}

/// Instructions that touch nothing but the stack. Whether it is one of them.
bool StepOnStack(const Instruction& instruction, const Code& code, Stack& stack) {
  const auto operand = static_cast<size_t>(instruction.operand);
  switch (instruction.op) {
    case torch::jit::DROP:
      stack.pop_back();
      return true;
    case torch::jit::LIST_UNPACK:
      UnpackList(stack, operand);
      return true;
    case torch::jit::TUPLE_CONSTRUCT:
      ConstructTuple(stack, operand);
      return true;
    case torch::jit::NAMED_TUPLE_CONSTRUCT:
      ConstructNamedTuple(stack, code.types()[operand]->expect<c10::TupleType>(), instruction.count);
      return true;
    case torch::jit::LIST_CONSTRUCT:
      ConstructList(stack, code.types()[operand]->expectRef<c10::ListType>(), instruction.count);
      return true;
    case torch::jit::DICT_CONSTRUCT:
      ConstructDict(stack, code.types()[operand]->expectRef<c10::DictType>(), instruction.count);
      return true;
    case torch::jit::TUPLE_SLICE:
      SliceTuple(stack, operand, instruction.count);
      return true;
    case torch::jit::ISINSTANCE:
      CheckInstance(stack, {code.types().data() + operand, instruction.count});
      return true;
    default:
      return false;
  }
}

/// Instructions that jump. By how far; nothing if it is none of them.
std::optional<int64_t> Jump(const Instruction& instruction, Stack& stack, Effects& effects) {
  switch (instruction.op) {
    case torch::jit::JMP:
      return instruction.operand;
    case torch::jit::JF:
      return torch::jit::pop(stack).toBool() ? 1 : instruction.operand;
    case torch::jit::LOOP:
      return Loop(stack, instruction.count, effects) ? 1 : instruction.operand;
    default:
      return std::nullopt;
  }
}

/// Instructions that move values between registers and stack. Whether it is one of them.
bool StepOnRegisters(const Instruction& instruction, Frame& frame, Stack& stack, Effects& effects) {
  const auto operand = static_cast<size_t>(instruction.operand);
  switch (instruction.op) {
    case torch::jit::LOAD:
      effects.Look(frame.registers[operand]);
      stack.push_back(frame.registers[operand]);
      return true;
    case torch::jit::MOVE:
      stack.push_back(std::move(frame.registers[operand]));
      frame.registers[operand] = IValue();
      return true;
    case torch::jit::LOADC:
      stack.push_back(effects.ReadConstant(*frame.code, operand));
      return true;
    case torch::jit::STORE:
      Store(frame, stack, instruction, 1);
      return true;
    case torch::jit::STOREN:
      Store(frame, stack, instruction, instruction.count);
      return true;
    case torch::jit::DROPR:
      frame.registers[operand] = IValue();
      return true;
    default:
      return false;
  }
}

/// Instructions that reach beyond the program's own values. Whether it is one of them.
bool StepWithEffects(const Instruction& instruction, State& state, Effects& effects) {
  Stack& stack = state.stack;
  const auto operand = static_cast<size_t>(instruction.operand);
  switch (instruction.op) {
    case torch::jit::OP:
    case torch::jit::OPN:
      effects.CallOperator(instruction, stack);
      return true;
    case torch::jit::GET_ATTR:
      stack.back() = effects.GetAttribute(stack.back().toObject(), operand);
      return true;
    case torch::jit::SET_ATTR:
      effects.SetAttribute(stack[stack.size() - 2].toObject(), operand, stack.back());
      torch::jit::drop(stack, 2);
      return true;
    case torch::jit::CREATE_OBJECT:
      stack.emplace_back(
          effects.CreateObject(state.frames.back().code->types()[operand]->expect<c10::ClassType>()));
      return true;
    case torch::jit::ENTER:
      state.entered.push_back(stack.back());
      return true;
    case torch::jit::FORK:
      effects.Fork(*instruction.forked, stack, instruction.count);
      return true;
    case torch::jit::AWAITABLE:
      effects.MakeAwaitable(instruction.forked, stack, instruction.count);
      return true;
    case torch::jit::WAIT:
      effects.Wait(stack);
      return true;
    case torch::jit::RAISE_EXCEPTION:
      effects.Raise(stack);
      return true;
    case torch::jit::WARN:
      effects.Warn(instruction, stack);
      return true;
    default:
      return false;
  }
}

}  // namespace

State State::AtEntry(const Code& code, Stack arguments) {
  State state;
  state.stack = std::move(arguments);
  state.frames.push_back({&code, 0, std::vector<IValue>(code.registers())});
  return state;
}

void Machine::Call(State& state, torch::jit::Function& function) const {
  if (!function.isGraphFunction()) {
    effects_->CallNative(function, state.stack);
    ++state.frames.back().pc;
    return;
  }
  effects_->EnterFunction(function);
  ++state.frames.back().pc;
  const Code& code = book_->Of(function);
  state.frames.push_back({&code, 0, std::vector<IValue>(code.registers())});
}

void Machine::Exit(State& state) const {
  const ObjectPtr object = state.entered.back().toObject();
  torch::jit::Function& function = object->type()->getMethod("__exit__");
  // The exception's type, value and trace, which are never given.
  state.stack.insert(state.stack.end(), {IValue(object), IValue(), IValue(), IValue()});
  try {
    Call(state, function);
  } catch (...) {
    torch::jit::drop(state.stack, 4);
    throw;
  }
  state.entered.pop_back();
}

void Machine::Step(State& state) const {
  Frame& frame = state.frames.back();
  const Instruction& instruction = frame.next();
  for (size_t i = 1; i <= instruction.looks_at; ++i) effects_->Look(state.stack[state.stack.size() - i]);
  switch (instruction.op) {
    case torch::jit::RET:
      state.frames.pop_back();
      return;
    case torch::jit::CALL:
      return Call(state, *instruction.callee);
    case torch::jit::INTERFACE_CALL: {
      const std::string& method = frame.code->constants()[instruction.operand].toStringRef();
      const ObjectPtr object = torch::jit::peek(state.stack, 0, instruction.count).toObject();
      return Call(state, object->type()->getMethod(method));
    }
    case torch::jit::EXIT:
      return Exit(state);
    default:
      break;
  }
  if (const std::optional<int64_t> distance = Jump(instruction, state.stack, *effects_)) {
    frame.pc = static_cast<size_t>(static_cast<int64_t>(frame.pc) + *distance);
    return;
  }
  const bool is_known = StepOnRegisters(instruction, frame, state.stack, *effects_) ||
                        StepOnStack(instruction, *frame.code, state.stack) ||
                        StepWithEffects(instruction, state, *effects_);
  CULPRIT_CHECK(is_known, "instruction {} of {} does not occur in unoptimised code",
                static_cast<int>(instruction.op), frame.code->name());
  ++frame.pc;
}

void Machine::Run(State& state) const {
  while (!state.has_returned()) Step(state);
}

}  // namespace culprit::capture::vm
