// SPDX-License-Identifier: Apache-2.0
#include "capture/numbers/number_log.h"

#include <c10/util/hash.h>

namespace culprit::capture {
namespace {

using c10::IValue;

void AddNumbers(const IValue& value, std::vector<IValue>& numbers) {
  if (value.isInt() || value.isDouble() || value.isBool()) {
    numbers.push_back(value);
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) AddNumbers(element, numbers);
  } else if (value.isTuple()) {
    for (const IValue& element : value.toTupleRef().elements()) AddNumbers(element, numbers);
  }
}

void AddSizes(const IValue& value, std::vector<IValue>& numbers) {
  if (!value.isTensor() || !value.toTensor().defined()) return;
  for (const int64_t size : value.toTensor().sizes()) numbers.emplace_back(size);
}

}  // namespace

void NumberLog::Note(std::string_view op, c10::ArrayRef<IValue> arguments, c10::ArrayRef<IValue> results,
                     size_t operators, const CodeOrigin& origin) {
  NumberEvent event{.op = op, .operators = operators};
  for (const IValue& argument : arguments) {
    if (op == "aten::numel") AddSizes(argument, event.arguments);
    AddNumbers(argument, event.arguments);
    event.ends.push_back(event.arguments.size());
  }
  for (const IValue& result : results) AddNumbers(result, event.results);
  if (event.arguments.empty() && event.results.empty()) return;
  event.origin = origin;
  events_.push_back(std::move(event));
}

void NumberLog::NoteLength(std::string_view op, c10::ArrayRef<IValue> arguments, size_t length,
                           size_t operators, const CodeOrigin& origin) {
  NumberEvent event{
      .op = op, .results = {static_cast<int64_t>(length)}, .is_length = true, .operators = operators};
  for (const IValue& argument : arguments) {
    AddSizes(argument, event.arguments);
    AddNumbers(argument, event.arguments);
    event.ends.push_back(event.arguments.size());
  }
  event.origin = origin;
  events_.push_back(std::move(event));
}

void NumberLog::Step(const vm::Frame& frame) {
  ++steps_;
  path_ = c10::get_hash(path_, static_cast<const void*>(frame.code), frame.pc);
}

}  // namespace culprit::capture
