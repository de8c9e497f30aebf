// SPDX-License-Identifier: Apache-2.0
//
// The graph that a walk writes: one node per operator, placeholders for the program's tensors when they are
// first used. A value is found by the fake tensor that stands for it; after a write into a tensor it is the
// result of the write, so that whoever reads it depends on it.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <unordered_map>
#include <vector>

#include "capture/breaks/code_origin.h"
#include "capture/walk/shadow.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/graph.h"

namespace culprit::capture {

class Recorder {
 public:
  explicit Recorder(const Shadow& shadow) : shadow_(&shadow) {}

  /// The arguments as a node has them, before the operator runs. Throws BreakRequest on what a graph cannot
  /// hold.
  std::vector<graph::Argument> Bind(const graph::Operator& op, c10::ArrayRef<c10::IValue> arguments);
  void Record(const graph::Operator& op, std::vector<graph::Argument> arguments,
              c10::ArrayRef<c10::IValue> results, CodeOrigin origin);
  /// A tensor that the program makes of numbers: a constant that every run copies.
  void RecordConstant(const at::Tensor& constant, const at::Tensor& fake, CodeOrigin origin);

  /// For calls whose results may not be needed: they are recorded when somebody uses them. That is as good as
  /// long as nobody writes into the arguments or the results; before that, RecordDeferred.
  void Defer(const graph::Operator& op, torch::jit::Stack arguments, torch::jit::Stack results,
             CodeOrigin origin);
  void DeferConstant(const at::Tensor& constant, const at::Tensor& fake, CodeOrigin origin);
  void RecordDeferred();

  /// The position of the tensor among the outputs; it becomes one.
  size_t AddOutput(const at::Tensor& fake);

  size_t operators() const { return graph_.nodes().size(); }

  struct Recorded {
    graph::Graph graph;
    /// Of each placeholder.
    std::vector<SourceId> inputs;
    /// Of each node; the graph does not know them yet.
    std::vector<CodeOrigin> origins;
    /// Of each value; nothing for what is no tensor.
    std::vector<std::vector<int64_t>> sizes;
  };
  Recorded Finish(std::string name);

 private:
  /// A value, or an element of one that is a list.
  struct Known {
    graph::ValueId value;
    std::optional<int64_t> element;
  };

  struct Deferred {
    const graph::Operator* op = nullptr;
    torch::jit::Stack arguments;
    torch::jit::Stack results;
    CodeOrigin origin;
    bool is_recorded = false;
  };

  void RecordDeferred(size_t index);
  graph::Argument ArgumentOf(const c10::IValue& value);
  graph::ValueId ValueOf(const c10::IValue& value);
  graph::ValueId AddPlaceholder(const c10::IValue& value);
  void Know(const c10::IValue& tensor, Known known);
  std::string FreshName(const std::string& wish);

  const Shadow* shadow_;
  graph::Graph graph_;
  std::vector<SourceId> inputs_;
  std::vector<CodeOrigin> origins_;
  std::vector<std::vector<int64_t>> sizes_;
  std::vector<graph::ValueId> outputs_;
  std::unordered_map<const void*, Known> known_;
  std::vector<Deferred> deferred_;
  /// By their results.
  std::unordered_map<const void*, size_t> deferred_of_;
  /// So that no other tensor gets the address of one that is known.
  std::vector<c10::IValue> alive_;
  graph::FreshNames names_{graph_};
};

}  // namespace culprit::capture
