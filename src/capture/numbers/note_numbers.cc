// SPDX-License-Identifier: Apache-2.0
#include "capture/numbers/note_numbers.h"

#include <ATen/core/List.h>

#include <algorithm>

namespace culprit::capture {
namespace {

using c10::IValue;
using torch::jit::Stack;

/// As a number of TorchScript: int, float or bool.
IValue NumberOf(const at::Tensor& element) {
  return element.item();
}

IValue NumbersOf(const at::Tensor& tensor) {
  if (tensor.dim() == 0) return NumberOf(tensor);
  c10::impl::GenericList numbers(c10::AnyType::get());
  const at::Tensor flat = tensor.reshape({-1});
  for (int64_t i = 0; i < flat.numel(); ++i) numbers.push_back(NumberOf(flat[i]));
  return numbers;
}

struct Renamed {
  std::string_view tensors;
  std::string_view numbers;
};
/// Where the operator on numbers has another name.
constexpr Renamed kNames[] = {
    {"aten::floor_divide", "aten::floordiv"},
    {"aten::maximum", "prim::max"},
    {"aten::minimum", "prim::min"},
    {"aten::max", "prim::max"},
    {"aten::min", "prim::min"},
    {"aten::rsub", "aten::sub"},
    {"aten::add_", "aten::add"},
    {"aten::div_", "aten::div"},
    {"aten::mul_", "aten::mul"},
    {"aten::neg_", "aten::neg"},
    {"aten::sub_", "aten::sub"},
    {"aten::floor_divide_", "aten::floordiv"},
    {"aten::remainder_", "aten::remainder"},
};

std::string_view NameOnNumbers(std::string_view op, c10::ArrayRef<IValue> arguments) {
  const bool floors = (op == "aten::div" || op == "aten::div_") && arguments.size() == 3 &&
                      arguments[2].isString() && arguments[2].toStringRef() == "floor";
  if (floors) return "aten::floordiv";
  const auto* row = std::ranges::find(kNames, op, &Renamed::tensors);
  return row == std::end(kNames) ? op : row->numbers;
}

/// Without the factor of `add`, `sub` and `rsub` if it is 1, and without names of rounding modes.
Stack Operands(std::string_view op, c10::ArrayRef<IValue> arguments) {
  Stack operands;
  for (const IValue& argument : arguments) {
    if (argument.isTensor() || argument.isScalar() || argument.isBool()) operands.push_back(argument);
  }
  const bool has_factor = op.starts_with("aten::add") || op.starts_with("aten::sub") || op == "aten::rsub";
  if (has_factor && operands.size() == 3 && operands[2].isInt() && operands[2].toInt() == 1)
    operands.pop_back();
  if (op == "aten::rsub" && operands.size() == 2) std::swap(operands[0], operands[1]);
  if (op == "aten::to") operands.resize(1);
  return operands;
}

Stack ElementsOf(const Stack& operands, c10::IntArrayRef sizes, int64_t index) {
  Stack elements;
  for (const IValue& operand : operands) {
    elements.push_back(operand.isTensor() ? NumberOf(operand.toTensor().expand(sizes).reshape({-1})[index])
                                          : operand);
  }
  return elements;
}

}  // namespace

void NoteNumbers(NumberUse use, std::string_view op, c10::ArrayRef<IValue> arguments,
                 c10::ArrayRef<IValue> results, size_t operators, const CodeOrigin& origin, NumberLog& log) {
  const std::string_view name = NameOnNumbers(op, arguments);
  if (use == NumberUse::kElementwise || use == NumberUse::kInPlace) {
    const Stack operands = Operands(op, arguments);
    const at::Tensor& result = results[0].toTensor();
    const at::Tensor flat = result.reshape({-1});
    for (int64_t i = 0; i < flat.numel(); ++i)
      log.Note(name, ElementsOf(operands, result.sizes(), i), {NumberOf(flat[i])}, operators, origin);
    return;
  }
  const auto numbers_in = [](const IValue& value) -> IValue {
    if (value.isTensor()) return NumbersOf(value.toTensor());
    if (!value.isTensorList()) return value;
    c10::impl::GenericList all(c10::AnyType::get());
    for (const at::Tensor& tensor : value.toTensorList()) all.push_back(NumbersOf(tensor));
    return all;
  };
  Stack numbers;
  for (const IValue& argument : arguments) numbers.push_back(numbers_in(argument));
  // Of a sum, the type of the result.
  if (use == NumberUse::kReduction) numbers.resize(1);
  Stack outcomes;
  for (const IValue& result : results) outcomes.push_back(numbers_in(result));
  log.Note(name, numbers, outcomes, operators, origin);
}

}  // namespace culprit::capture
