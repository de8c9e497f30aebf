// SPDX-License-Identifier: Apache-2.0
//
// The eager interpreter: runs a graph with libtorch's own kernels, one boxed call per node.
//
// Everything that does not depend on the inputs is decided once, in the constructor: constants become IValues
// of the exact type the operator wants (lists typed by their slot, numbers in Tensor slots as Python's
// torch.ops wraps them: tensors without dimensions that do not take part in type promotion), and for every
// mention of a value whether it is the last one. The last mention moves the value onto the stack, so memory
// is free as soon as the operator is done with it. One stack serves all calls.
//
// The mode is the caller's: gradients are recorded if grad mode is on, autocast applies if it is on.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <optional>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/run/interruption.h"

namespace culprit::graph {

/// Sees every node of a run. What it throws ends the run.
class Observer {
 public:
  virtual ~Observer() = default;
  /// `arguments` holds one IValue per slot, as the operator will get them.
  virtual void Before(NodeId /*node*/, const torch::jit::Stack& /*arguments*/) {}
  /// `results` holds one IValue per result. A tensor may be undefined: a gradient that nobody asked for.
  virtual void After(NodeId /*node*/, const torch::jit::Stack& /*results*/) {}
};

class Interpreter {
 public:
  /// The graph must be valid (graph/ir/verify.h); it is not needed any more afterwards.
  explicit Interpreter(const Graph& graph);

  /// Takes one value per placeholder and returns the outputs. What an operator throws passes through, and
  /// all values are freed; `interruption`, if somebody wants it, says how far it had come. Writes to
  /// placeholders reach the caller's tensors; a tensor constant that some node may write into is copied for
  /// the run, since a graph is a value and the next run has to find it unchanged. May be called from several
  /// threads at once.
  std::vector<c10::IValue> Run(std::vector<c10::IValue> inputs, Observer* observer = nullptr,
                               std::optional<Interruption>* interruption = nullptr) const;

 private:
  friend class InterpreterPlanner;
  class Frame;

  enum class Source : uint8_t { kConstant, kCopy, kMove, kList };
  /// What has to happen to a value whose type is known only at run time.
  enum class Conversion : uint8_t { kNone, kNumberToTensor, kIntToFloat, kToOptionalTensors };

  struct Operand {
    Source source = Source::kConstant;
    Conversion conversion = Conversion::kNone;
    /// Of the constant, the register or the list.
    uint32_t index = 0;
  };
  /// A list that is built at the call, since it holds values.
  struct ListPlan {
    c10::TypePtr element_type;
    std::vector<Operand> elements;
  };
  struct Step {
    const Operator* op = nullptr;
    uint32_t operands_end = 0;
    uint32_t results_end = 0;
  };
  struct ConstantToCopy {
    uint32_t result = 0;
    at::Tensor tensor;
  };

  /// `step` is the one that runs.
  void RunSteps(Frame& frame, Observer* observer, uint32_t& step) const;

  size_t register_count_ = 0;
  std::vector<c10::IValue> constants_;
  std::vector<ListPlan> lists_;
  std::vector<Operand> operands_;
  // Registers of the results of all steps, one behind the other; kDiscard where nothing uses the result.
  std::vector<uint32_t> results_;
  std::vector<Step> steps_;
  std::vector<uint32_t> inputs_;
  std::vector<ConstantToCopy> constants_to_copy_;
  std::vector<Operand> outputs_;

  static constexpr uint32_t kDiscard = UINT32_MAX;
};

}  // namespace culprit::graph
