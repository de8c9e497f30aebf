// SPDX-License-Identifier: Apache-2.0
//
// What a walk has computed with numbers on its way, so that the same walk with other sizes can be compared
// with it (graph/sizes/worlds/numbers.h).
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/breaks/code_origin.h"
#include "capture/vm/code.h"

namespace culprit::capture {

/// One call of an operator that was done at once.
struct NumberEvent {
  std::string_view op;
  /// Ints, floats and bools, those in lists and tuples too, one behind the other. Of a tensor whose elements
  /// are counted, its sizes.
  std::vector<c10::IValue> arguments;
  /// Where each argument of the operator ends among them.
  std::vector<size_t> ends;
  std::vector<c10::IValue> results;
  /// The result is the length of a list that an operator of the graph returns.
  bool is_length = false;
  /// So many operators of the graph stand before it.
  size_t operators = 0;
  CodeOrigin origin;
};

class NumberLog {
 public:
  /// Calls without numbers are not kept.
  void Note(std::string_view op, c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> results,
            size_t operators, const CodeOrigin& origin);
  /// How many tensors an operator of the graph has returned, with the sizes of its tensors.
  void NoteLength(std::string_view op, c10::ArrayRef<c10::IValue> arguments, size_t length, size_t operators,
                  const CodeOrigin& origin);
  void Step(const vm::Frame& frame);

  const std::vector<NumberEvent>& events() const { return events_; }
  /// Of all instructions: walks with the same one have gone the same way.
  uint64_t path() const { return path_; }
  size_t steps() const { return steps_; }

 private:
  std::vector<NumberEvent> events_;
  uint64_t path_ = 0;
  size_t steps_ = 0;
};

}  // namespace culprit::capture
