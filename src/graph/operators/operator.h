// SPDX-License-Identifier: Apache-2.0
//
// An operator that a node can call: one of libtorch's dispatcher operators, or one of the few builtins
// (graph/operators/builtins.h). Operators are interned: there is one object
// per overload for the life of the process, so pointers can be compared and kept.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/operators/slot.h"
#include "graph/operators/value_kind.h"

namespace culprit::graph {

class Operator {
 public:
  using BuiltinFunction = void (*)(torch::jit::Stack&);

  /// Finds "aten::add", "Tensor"; the overload that Python calls "default" is "". Null if there is none.
  static const Operator* Find(std::string_view name, std::string_view overload);
  /// As Find, for "aten::add.Tensor" or "aten::relu"; an internal error if there is none.
  static const Operator& Get(std::string_view qualified_name);

  const std::string& name() const { return name_; }
  const std::string& overload() const { return overload_; }
  /// Without the namespace: "add".
  std::string plain_name() const { return name_.substr(name_.rfind(':') + 1); }
  /// "aten::add.Tensor", "aten::relu".
  std::string qualified_name() const;

  const c10::FunctionSchema& schema() const { return *schema_; }
  const std::vector<Slot>& slots() const { return slots_; }
  /// What the results are; nothing if one of them is of a kind that a graph cannot hold.
  const std::optional<std::vector<ValueKind>>& results() const { return results_; }

  bool is_builtin() const { return builtin_ != nullptr; }
  /// Draws from a random generator.
  bool is_random() const { return is_random_; }
  /// Whether it writes into the tensor(s) of this argument. Knows the operators whose schema does not admit
  /// it.
  bool writes(size_t argument) const { return writes_[argument]; }
  bool writes_any() const;
  /// The argument that switches the writes off when it is False, as batch_norm's `training` does.
  const std::optional<size_t>& write_switch() const { return write_switch_; }
  /// Whether a result may share memory with this argument.
  bool may_alias(size_t result, size_t argument) const { return aliases_[result * slots_.size() + argument]; }

  /// Takes the arguments from the stack and leaves the results there; throws what libtorch throws.
  void Call(torch::jit::Stack& stack) const;

 private:
  explicit Operator(const c10::OperatorHandle& handle);
  Operator(const c10::FunctionSchema& schema, BuiltinFunction function);
  void DescribeSchema();
  void DescribeAliases(bool composite);

  std::string name_;
  std::string overload_;
  std::optional<c10::OperatorHandle> handle_;
  std::optional<c10::FunctionSchema> builtin_schema_;
  const c10::FunctionSchema* schema_ = nullptr;
  BuiltinFunction builtin_ = nullptr;
  std::vector<Slot> slots_;
  std::optional<std::vector<ValueKind>> results_;
  std::vector<bool> writes_;
  std::vector<bool> aliases_;
  std::optional<size_t> write_switch_;
  bool is_random_ = false;
};

/// The names of all operators, "aten::add" once for all its overloads, sorted.
const std::vector<std::string_view>& AllOperatorNames();

/// The overloads of a name ("" is the default one), sorted.
std::vector<std::string> OverloadsOf(std::string_view name);

}  // namespace culprit::graph
