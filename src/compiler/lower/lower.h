// SPDX-License-Identifier: Apache-2.0
//
// Lowering: a graph of operators becomes a program of loops.
//
//   y = aten::add.Tensor(x, 1)      =>      y = f32[8, 64] call aten::add.Tensor or each: x[i0, i1] + 1
//
// The graph runs once on fakes, so every value has the dtype, the sizes and the strides that eager gives it,
// and integers that are computed from sizes are numbers. Then each node is looked up in the table of rules
// (compiler/lower/rules.h). A node without a rule, or whose rule declines, can only be called.
#pragma once

#include <ATen/core/ivalue.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace culprit::compiler::lower {

struct LowerOptions {
  /// Half and BFloat16 are rounded behind every operator, as eager does, also where nothing is stored.
  bool exact = false;
  /// Sizes and what is computed of them are loops::Op::kSize instead of constants.
  bool symbolic = false;
  /// Whether the rule for this operator ("aten::add.Tensor") applies; all do if it is empty.
  std::function<bool(std::string_view rule)> applies = nullptr;
};

/// The graph does not run on fakes: it depends on data, or would fail on such inputs.
class NotLowerable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `inputs` may be fake: only their sizes, strides and dtypes matter, and the values of numbers. The graph is
/// one below autograd. Throws NotLowerable.
loops::LoopProgram Lower(std::shared_ptr<const graph::Graph> graph, const std::vector<c10::IValue>& inputs,
                         const LowerOptions& options);

}  // namespace culprit::compiler::lower
