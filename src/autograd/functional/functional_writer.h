// SPDX-License-Identifier: Apache-2.0
//
// Writes a functional graph of the operators that a program calls on fakes, below autograd: each operator
// that writes becomes one that returns what would be written, and from then on everything that shares the
// written memory is read from there (memory.h).
//
//   y = x.select(0, 1)        select = select.int(x, 0, 1)
//   y.add_(1)                 add = add.Tensor(select, 1)
//   return x * 2              select_scatter = select_scatter(x, add, 0, 1)
//                             mul = mul.Tensor(select_scatter, 2)
#pragma once

#include <vector>

#include "autograd/functional/functional_variant.h"
#include "autograd/functional/memory.h"
#include "autograd/functional/traced_graph.h"
#include "graph/fake/mode.h"

namespace culprit::autograd {

class FunctionalWriter : public graph::fake::CallListener {
 public:
  explicit FunctionalWriter(graph::fake::World& world) : graph_(world), memory_(graph_) {}

  /// A tensor, a generator, or a number, which the operators use as it is.
  void AddPlaceholder(const std::string& name, graph::PlaceholderKind kind, graph::ValueKind value_kind,
                      const c10::IValue& fake);

  void Before(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) override;
  void After(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
             c10::ArrayRef<c10::IValue> results) override;

  /// As the program would find it now; None if it is undefined.
  graph::Argument ValueOf(const at::Tensor& fake);
  Written WrittenInto(const at::Tensor& fake) const { return memory_.WrittenInto(fake); }

  TracedGraph& graph() { return graph_; }

 private:
  using Stack = torch::jit::Stack;

  void BeforeWrites(const graph::Operator& op, const Stack& arguments);
  void BeforeFunctional(const graph::Operator& op, const graph::Operator& functional, const Stack& arguments);
  void BeforeCopy(const Stack& arguments);
  void BeforeView(const graph::Operator& view, Stack arguments);
  void BeforePrivateCopy(const graph::Operator& op, const Stack& arguments);
  void WriteLater(const c10::IValue& target, const c10::IValue& value, Written how);
  bool AreCurrent(c10::ArrayRef<c10::IValue> results) const;
  /// With `anew`, also what is there already.
  void DefineAll(const graph::Operator& op, c10::ArrayRef<c10::IValue> arguments,
                 c10::ArrayRef<c10::IValue> results, c10::ArrayRef<c10::IValue> current, bool anew);

  /// What After does, when the program's tensors lie as they will.
  struct Pending {
    const graph::Operator* op = nullptr;
    /// The operator becomes a node, with these arguments.
    bool calls = false;
    Stack current;
    /// What stands for its results already, and how it was made.
    Stack made;
    const graph::Operator* made_by = nullptr;
    Stack made_from;
    struct Write {
      at::Tensor target;
      at::Tensor value;
      Written how;
    };
    std::vector<Write> writes;
  };

  TracedGraph graph_;
  Memory memory_;
  Pending pending_;
};

}  // namespace culprit::autograd
