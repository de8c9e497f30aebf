// SPDX-License-Identifier: Apache-2.0
//
// A node as a rule sees it: what its arguments are, and a place for the loops that compute its results.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/lower/loop_builder.h"
#include "compiler/lower/program_builder.h"

namespace culprit::compiler::lower {

class Call {
 public:
  Call(ProgramBuilder& program, graph::NodeId node) : program_(program), id_(node) {}

  const graph::Graph& graph() const { return program_.graph(); }
  graph::NodeId id() const { return id_; }
  const graph::Node& node() const { return program_.graph().node(id_); }
  const LowerOptions& options() const { return program_.options(); }

  bool IsNone(size_t argument) const { return node().arguments[argument].is_none(); }
  /// A number in the place of a tensor is none.
  bool IsTensor(size_t argument) const { return IsTensor(node().arguments[argument]); }
  bool IsTensor(const graph::Argument& argument) const;
  loops::ValueIndex Tensor(size_t argument) const { return Tensor(node().arguments[argument]); }
  loops::ValueIndex Tensor(const graph::Argument& argument) const;
  std::optional<loops::ValueIndex> OptionalTensor(size_t argument) const;
  std::vector<loops::ValueIndex> Tensors(size_t argument) const;
  const loops::Value& Described(size_t argument) const { return program_[Tensor(argument)]; }
  const loops::Value& operator[](loops::ValueIndex value) const { return program_[value]; }
  /// Whether it is a scalar that became a tensor: it has no say in the dtype of a result.
  bool IsWrappedNumber(size_t argument) const;
  at::Tensor Fake(size_t argument) const { return Evaluated(node().arguments[argument]).toTensor(); }

  c10::Scalar Number(size_t argument) const { return Evaluated(node().arguments[argument]).toScalar(); }
  double Double(size_t argument) const { return Number(argument).toDouble(); }
  int64_t Int(size_t argument) const { return Number(argument).toLong(); }
  bool Bool(size_t argument) const { return Evaluated(node().arguments[argument]).toBool(); }
  Sizes Ints(size_t argument) const;
  /// A dimension, counted from the front; of a scalar it is 0.
  size_t Dimension(size_t argument, size_t dimensions) const;
  std::string_view String(size_t argument) const;

  bool HasResult(uint32_t result) const;
  /// What it will be.
  const loops::Value& Result(uint32_t result = 0) const { return program_.Pending(ResultId(result)); }

  LoopBuilder Loop(const Sizes& sizes, const Sizes& reduced = {}) const {
    return {program_.values(), options().symbolic, sizes, reduced};
  }
  LoopBuilder LoopOver(uint32_t result, const Sizes& reduced = {}) const {
    return Loop(Result(result).sizes, reduced);
  }

  /// The loop's result may have any type: it is cast to the value's, and rounded if it has to be.
  loops::ValueIndex DefineEach(uint32_t result, LoopBuilder& loop, Expr expression);
  /// The loop's type must be the result's.
  loops::ValueIndex Define(uint32_t result, std::shared_ptr<const loops::Loop> loop);
  /// A value beside the results, "<name of the first result>.<suffix>"; if there is such a value already,
  /// that.
  loops::ValueIndex Helper(std::string_view suffix, const Sizes& sizes,
                           std::shared_ptr<const loops::Loop> loop);
  /// A result that is combined in the type of the loop: if its dtype is another one, there is a helper, and
  /// the result is a cast of that. Returns what has all digits.
  loops::ValueIndex DefineCombined(uint32_t result, std::string_view suffix,
                                   const std::shared_ptr<loops::Loop>& loop);

 private:
  c10::IValue Evaluated(const graph::Argument& argument) const;
  graph::ValueId ResultId(uint32_t result) const { return node().results[result]; }

  ProgramBuilder& program_;
  graph::NodeId id_;
};

}  // namespace culprit::compiler::lower
