// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/number_calls.h"

#include <ATen/core/List.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include "capture/numbers/note_numbers.h"
#include "capture/numbers/number_operators.h"
#include "capture/walk/call_on_fakes.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using torch::jit::Stack;

Stack Compute(const vm::Instruction& instruction, Stack arguments) {
  const graph::fake::Silence silence;
  Perform(instruction, arguments);
  return arguments;
}

bool MayKnowAll(const Stack& results) {
  return std::ranges::all_of(results, [](const IValue& result) {
    return std::ranges::all_of(TensorsIn(result), KnownTensors::MayKnow);
  });
}

}  // namespace

std::optional<Stack> NumberCalls::Try(const vm::Instruction& instruction, const Stack& arguments) {
  const vm::CalledOperator& called = *instruction.called;
  if (called.name == "aten::_shape_as_tensor")
    return Stack{Make(at::tensor(arguments[0].toTensor().sizes(), at::kLong), /*is_written_down=*/false)};
  const std::optional<NumberUse> use = NumberUseOf(called);
  if (!use || use == NumberUse::kInPlace) return std::nullopt;
  const std::optional<Stack> numbers = known_.ValuesOf(arguments);
  if (!numbers) return std::nullopt;
  Stack computed = Compute(instruction, *numbers);
  if (!MayKnowAll(computed)) return std::nullopt;
  Note(called, *numbers, computed);
  if (use == NumberUse::kTake) return computed;
  Stack fakes = CallOnFakes(world_, *called.dispatched, arguments);
  known_.KnowAll(fakes, computed);
  recorder_.Defer(*called.dispatched, arguments, fakes, OriginOf(walk_));
  return fakes;
}

void NumberCalls::Note(const vm::CalledOperator& called, const Stack& arguments, const Stack& results) {
  if (sample_ == nullptr) return;
  NoteNumbers(*NumberUseOf(called), called.name, arguments, results, recorder_.operators(), OriginOf(walk_),
              sample_->log);
}

at::Tensor NumberCalls::Defer(const graph::Operator& op, Stack arguments) {
  const Stack fakes = CallOnFakes(world_, op, arguments);
  recorder_.Defer(op, std::move(arguments), fakes, OriginOf(walk_));
  return fakes.back().toTensor();
}

at::Tensor NumberCalls::Make(const at::Tensor& numbers, bool is_written_down) {
  static const graph::Operator& copy = graph::Operator::Get("aten::lift_fresh_copy");
  static const graph::Operator& of_number = graph::Operator::Get("aten::scalar_tensor");
  static const graph::Operator& stack = graph::Operator::Get("aten::stack");
  constexpr int64_t kMostOperators = 16;
  const bool is_known = KnownTensors::MayKnow(numbers);
  at::Tensor fake;
  const auto of = [&](const at::Tensor& element) {
    return Defer(of_number, {element.item(), static_cast<int64_t>(numbers.scalar_type()), {}, {}, {}});
  };
  if (!is_known || is_written_down || numbers.dim() > 1 || numbers.numel() == 0 ||
      numbers.numel() > kMostOperators) {
    fake = CallOnFakes(world_, copy, {numbers}).back().toTensor();
    recorder_.DeferConstant(numbers, fake, OriginOf(walk_));
  } else if (numbers.dim() == 0) {
    fake = of(numbers);
  } else {
    c10::List<at::Tensor> elements;
    for (int64_t i = 0; i < numbers.numel(); ++i) elements.push_back(of(numbers[i]));
    fake = Defer(stack, {elements, int64_t{0}});
  }
  if (is_known) known_.Know(fake, numbers.clone());
  return fake;
}

void NumberCalls::BeforeWrite(const vm::Instruction& instruction, const Stack& arguments) {
  const vm::CalledOperator& called = *instruction.called;
  std::vector<at::Tensor> written;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!called.dispatched->writes(i)) continue;
    for (at::Tensor& tensor : TensorsIn(arguments[i])) {
      if (!graph::fake::World::IsFake(tensor)) continue;
      known_.NoteWrite(tensor);
      if (known_.Shares(tensor)) written.push_back(std::move(tensor));
    }
  }
  if (written.empty()) return;
  recorder_.RecordDeferred();
  if (NumberUseOf(called) == NumberUse::kInPlace && !known_.SharesConstant(written[0])) {
    if (const std::optional<Stack> numbers = known_.ValuesOf(arguments)) {
      Stack before = *numbers;
      before[0] = before[0].toTensor().clone();
      Note(called, before, Compute(instruction, *numbers));
      return;
    }
  }
  for (const at::Tensor& tensor : written) known_.Forget(tensor);
}

}  // namespace culprit::capture
