// SPDX-License-Identifier: Apache-2.0
//
// All that a call of a program leaves behind, as text: what it returned or threw, what became of its inputs
// and of the attributes of its module, what it printed, which warnings it gave, where the generator of random
// numbers and the modes of the process stand, and the gradients. Two programs that are the same give the same
// text.
//
//   result       (f32[2,3] strides 3,1 on memory 2+0 = 1 2 3 4 5 6, list 1 [...])
//   input 0      f32[2,3] strides 3,1 on memory 0+0 requires_grad = ...
//   attribute    layer.calls = i64[] on memory 1+0 = 1
//   printed      ...
//
// Memory and containers have numbers in the order in which they are met, inputs first: a result on memory 0
// shares it with an input, and "list 1" once more is the same list. Elements are compared bit by bit, with a
// hash that stands behind the first of them.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/capture/gradients.h"

namespace culprit::tests {

struct Observation {
  std::vector<Fact> facts;
};

struct ObserveOptions {
  /// For the CPU's generator, before the call.
  uint64_t seed = 0;
  bool no_grad = false;
  /// To bfloat16, during the call.
  bool autocast = false;
  /// Look at gradients too.
  bool gradients = true;
  Backward backward = Backward::kSum;
  InputForm form = InputForm::kAsWritten;
};

using Callable = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Calls it with these inputs in the form that is asked for, which it may write to. `module` is the one whose
/// attributes are looked at. Printed text and warnings of other threads are caught too, so only one
/// observation is made at a time.
Observation Observe(const Callable& call, const std::vector<c10::IValue>& inputs,
                    const std::optional<torch::jit::Module>& module, const ObserveOptions& options = {});

/// The facts that differ, each with both texts; empty if none does.
std::string Differences(const Observation& expected, const Observation& actual);

}  // namespace culprit::tests
