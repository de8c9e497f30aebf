// SPDX-License-Identifier: Apache-2.0
//
// A graph that grows while operators are called on fakes. Each of its tensors is known by a fake that lies as
// it will lie; nobody writes into those.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/fake/world.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/graph.h"

namespace culprit::autograd {

class TracedGraph {
 public:
  explicit TracedGraph(graph::fake::World& world) : world_(world), names_(graph_) {}

  /// A tensor, a generator, or a number, which operators use as it is.
  void AddPlaceholder(const std::string& name, graph::PlaceholderKind kind, graph::ValueKind value_kind,
                      const c10::IValue& value);

  /// Arguments are fakes that are known, and whatever is no fake. The results are known from then on, also
  /// those in lists.
  void AddNode(const graph::Operator& op, c10::ArrayRef<c10::IValue> arguments,
               c10::ArrayRef<c10::IValue> results);
  /// Calls the operator on the fakes, too.
  torch::jit::Stack Emit(const graph::Operator& op, const torch::jit::Stack& arguments);
  at::Tensor Emit(const char* op, const torch::jit::Stack& arguments);

  /// None if it is undefined.
  graph::Argument ValueOf(const at::Tensor& known);

  /// Numbers may be sizes, and be others when the graph runs: from now on a view that happens to be all of
  /// its tensor is an operator too.
  void KeepNumbers() { keeps_numbers_ = true; }
  bool keeps_numbers() const { return keeps_numbers_; }

  /// The line of the model that the next nodes come from.
  void SetLine(graph::ModelLine line) { line_ = std::move(line); }

  const graph::Graph& graph() const { return graph_; }
  /// Of each value.
  const std::vector<int64_t>& bytes() const { return bytes_; }
  const std::vector<std::vector<int64_t>>& sizes() const { return sizes_; }
  graph::Graph Take(std::string name, std::vector<graph::Argument> outputs);

 private:
  graph::Argument ArgumentOf(const c10::IValue& value);
  graph::Argument ConstantOf(const at::Tensor& real);
  void Know(const at::Tensor& fake, graph::ValueId value);
  void KnowElements(const c10::IValue& list, graph::ValueId value);

  graph::fake::World& world_;
  graph::Graph graph_;
  graph::FreshNames names_;
  std::vector<int64_t> bytes_;
  std::vector<std::vector<int64_t>> sizes_;
  /// By the object: fakes, constants, generators.
  std::unordered_map<const void*, graph::ValueId> known_;
  /// What is in fakes that were made of numbers.
  std::unordered_map<const void*, graph::Argument> numbers_;
  /// So that no other tensor gets the address of one that is known.
  std::vector<c10::IValue> alive_;
  graph::ModelLine line_;
  bool keeps_numbers_ = false;
};

}  // namespace culprit::autograd
