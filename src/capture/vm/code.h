// SPDX-License-Identifier: Apache-2.0
//
// The instructions of TorchScript functions, with what they refer to found once: operators, called functions.
// libtorch keeps its own tables for that private, but says for every instruction which node of the function's
// graph it stands for, and the node knows.
//
// The code is that of the function as it was written: no optimiser has seen it.
#pragma once

#include <ATen/core/function.h>
#include <ATen/core/stack.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/instruction.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/operators/operator.h"

namespace culprit::capture::vm {

/// An operator of TorchScript: one of the dispatcher's, or one that only TorchScript has (lists, strings
/// ...).
struct CalledOperator {
  std::string name;
  torch::jit::Operation operation;
  const c10::FunctionSchema* schema = nullptr;
  bool is_dispatched = false;
  /// Null if it is none of the dispatcher's, or one that a graph cannot hold.
  const graph::Operator* dispatched = nullptr;
};

class Code;

struct Instruction {
  torch::jit::OpCode op;
  uint16_t count = 0;   // N
  int32_t operand = 0;  // X
  const torch::jit::Node* node = nullptr;
  /// How many values on top of the stack it looks at. Instructions that only move them look at none, and what
  /// LOOP looks at depends.
  size_t looks_at = 0;
  /// Of OP and OPN (`count` arguments).
  std::unique_ptr<const CalledOperator> called = nullptr;
  /// Of CALL.
  torch::jit::Function* callee = nullptr;
  /// Of FORK and AWAITABLE: the function that runs on its own.
  std::shared_ptr<const Code> forked = nullptr;
};

/// Calls the operator of OP or OPN on real arguments, or on any for one that does not look into tensors.
void Perform(const Instruction& instruction, torch::jit::Stack& stack);

/// Whether the arguments stand in the program as they are, and are not computed: torch.tensor([1, 2]).
bool IsWrittenDown(const Instruction& instruction);

/// "OP aten::add.Tensor", "STORE 3", "CALL helper".
std::string Describe(const Instruction& instruction);

class Code {
 public:
  Code(const std::shared_ptr<torch::jit::Graph>& graph, const std::string& name);

  const std::string& name() const { return name_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<c10::IValue>& constants() const { return code_.constant_table(); }
  const std::vector<c10::TypePtr>& types() const { return code_.type_table(); }
  /// Registers are counted from 1.
  size_t registers() const { return code_.register_size() + 1; }
  size_t inputs() const { return code_.num_inputs(); }
  size_t outputs() const { return code_.num_outputs(); }
  /// As the program calls what is kept there or handed over; "a temporary" if it has no name for it.
  const std::string& NameOfRegister(size_t index) const { return register_names_[index]; }
  std::string NameOfInput(size_t index) const;
  /// Of the future or awaitable that stands for a call.
  const c10::TypePtr& return_type() const { return return_type_; }

 private:
  std::string name_;
  torch::jit::Code code_;
  std::vector<Instruction> instructions_;
  std::vector<std::string> register_names_;
  c10::TypePtr return_type_;
};

/// The codes of functions, made when they are first wanted. May be used by several threads.
class CodeBook {
 public:
  /// The function must be one that was written in TorchScript (isGraphFunction) and outlive the book.
  const Code& Of(torch::jit::Function& function);

 private:
  std::mutex mutex_;
  std::map<const torch::jit::Function*, std::unique_ptr<const Code>> codes_;
};

}  // namespace culprit::capture::vm
