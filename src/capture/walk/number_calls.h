// SPDX-License-Identifier: Apache-2.0
//
// Calls on tensors that are made of numbers. What they compute is known at once, and so is what the program
// takes out of them; the calls themselves are recorded only if an operator of the graph uses their results:
//
//   h = prim::NumToTensor(aten::size(x, 2))     known: tensor(14)
//   n = aten::mul(h, CONSTANTS.c0)              known: tensor(28)
//   x.view([aten::Int(n), -1])                  view(x, [28, -1]): nothing else is in the graph
//   x * n                                       scalar_tensor(14), mul with the constant, mul
//
// A number that is recorded is an argument of an operator, so that it can be computed where it depends on
// sizes (capture/sizes/symbolise.h).
#pragma once

#include <optional>

#include "capture/numbers/known_tensors.h"
#include "capture/vm/code.h"
#include "capture/vm/state.h"
#include "capture/walk/other_sizes.h"
#include "capture/walk/recorder.h"
#include "graph/fake/world.h"

namespace culprit::capture {

class NumberCalls {
 public:
  /// `walk` is where the program is.
  NumberCalls(const vm::State& walk, graph::fake::World& world, Recorder& recorder, Sample* sample)
      : walk_(walk), world_(world), recorder_(recorder), sample_(sample) {}

  /// The results, if the numbers of all tensors among the arguments are known and it is arithmetic on them.
  std::optional<torch::jit::Stack> Try(const vm::Instruction& instruction,
                                       const torch::jit::Stack& arguments);

  /// A new tensor with these numbers, which the program has computed or written down.
  at::Tensor Make(const at::Tensor& numbers, bool is_written_down);

  /// A tensor that is a constant of the program.
  void KnowConstant(const at::Tensor& fake, const at::Tensor& constant) {
    known_.KnowConstant(fake, constant);
  }
  /// Those whose numbers were used, as fakes.
  const std::vector<at::Tensor>& used_constants() const { return known_.used_constants(); }

  /// Before an operator is recorded: numbers that it writes over are other ones from now on, or unknown.
  void BeforeWrite(const vm::Instruction& instruction, const torch::jit::Stack& arguments);

 private:
  at::Tensor Defer(const graph::Operator& op, torch::jit::Stack arguments);
  void Note(const vm::CalledOperator& called, const torch::jit::Stack& arguments,
            const torch::jit::Stack& results);

  const vm::State& walk_;
  graph::fake::World& world_;
  Recorder& recorder_;
  Sample* const sample_;
  KnownTensors known_;
};

}  // namespace culprit::capture
