// SPDX-License-Identifier: Apache-2.0
//
// The graph: a straight-line program of operator calls in SSA form, in program order.
//
//   forward(arg0_1, arg1_1)                    placeholders: inputs, parameters, buffers
//   _tensor_constant0                          tensor constants, held by the graph
//   add = aten::add.Tensor(arg0_1, arg1_1)     nodes, with zero, one or several results
//   return (add,)                              outputs: values or constants
//
// A graph is a value: copying it copies everything but the data of its tensor constants. Passes build new
// graphs. Nothing here checks types; graph/ir/verify.h does.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "graph/ir/argument.h"
#include "graph/ir/ids.h"
#include "graph/operators/operator.h"
#include "graph/operators/value_kind.h"

namespace culprit::graph {

enum class PlaceholderKind : uint8_t { kInput, kParameter, kBuffer };

enum class Origin : uint8_t { kPlaceholder, kConstant, kNode };

struct Value {
  /// A Python identifier, unique in its graph.
  std::string name;
  ValueKind kind = ValueKind::kTensor;
  Origin origin = Origin::kNode;
  /// Index into placeholders(), constants() or nodes(), as the origin says.
  uint32_t origin_index = 0;
  /// For a node's result: which one.
  uint32_t result_index = 0;
};

struct Placeholder {
  ValueId value;
  PlaceholderKind kind = PlaceholderKind::kInput;
  /// Of each dimension: the symbol ("s0") for its size, which then differs from call to call; empty where the
  /// size is fixed. Nothing at all where all are.
  std::vector<std::string> symbols = {};
};

/// A tensor that belongs to the graph; in the text a buffer of the module, whose name is the value's name.
struct TensorConstant {
  ValueId value;
  at::Tensor tensor;
  /// Where the program wants it. The tensor itself may be on the CPU, for a device that this machine lacks.
  at::Device device = at::kCPU;
};

/// Where a model has an operator, for people (model_line.h). Null if it is not known. It is no part of the
/// program: graphs that differ only in it are equal.
using ModelLine = std::shared_ptr<const std::string>;

struct Node {
  const Operator* op = nullptr;
  /// One per slot of the operator, in schema order, defaults filled in.
  std::vector<Argument> arguments;
  std::vector<ValueId> results;
  ModelLine model_line = nullptr;
};

/// Whether the call writes into the tensor(s) of this argument: batch_norm leaves its statistics alone unless
/// it is training.
bool WritesInto(const Node& node, size_t argument);

class Graph {
 public:
  const std::vector<Value>& values() const { return values_; }
  const std::vector<Placeholder>& placeholders() const { return placeholders_; }
  const std::vector<TensorConstant>& constants() const { return constants_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Argument>& outputs() const { return outputs_; }

  const Value& value(ValueId id) const { return values_[Index(id)]; }
  const Node& node(NodeId id) const { return nodes_[Index(id)]; }

  /// `<model>_<n>_<forward|backward|inference|captured>`, or empty.
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  ValueId AddPlaceholder(std::string name, PlaceholderKind kind = PlaceholderKind::kInput,
                         ValueKind value_kind = ValueKind::kTensor);
  ValueId AddConstant(std::string name, at::Tensor tensor, at::Device device = at::kCPU);
  /// The arguments must be complete (one per slot); there must be a name for each result.
  const Node& AddNode(const Operator& op, std::vector<Argument> arguments,
                      std::vector<std::string> result_names, ModelLine model_line = nullptr);
  void SetModelLine(NodeId id, ModelLine line) { nodes_[Index(id)].model_line = std::move(line); }
  void SetOutputs(std::vector<Argument> outputs) { outputs_ = std::move(outputs); }

  void RenameValue(ValueId id, std::string name) { values_[Index(id)].name = std::move(name); }
  void SetValueKind(ValueId id, ValueKind kind) { values_[Index(id)].kind = kind; }
  void SetPlaceholderKind(size_t index, PlaceholderKind kind) { placeholders_[index].kind = kind; }
  void SetSymbols(size_t index, std::vector<std::string> symbols) {
    placeholders_[index].symbols = std::move(symbols);
  }

  /// Exact: names, order, constants bit for bit. Graphs that differ only in names have the same
  /// StructuralHash.
  bool operator==(const Graph& other) const;

 private:
  ValueId AddValue(Value value);

  std::string name_;
  std::vector<Value> values_;
  std::vector<Placeholder> placeholders_;
  std::vector<TensorConstant> constants_;
  std::vector<Node> nodes_;
  std::vector<Argument> outputs_;
};

/// Same dtype, device, layout, sizes, strides and bits.
bool SameTensor(const at::Tensor& a, const at::Tensor& b);

}  // namespace culprit::graph
