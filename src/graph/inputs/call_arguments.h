// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <algorithm>
#include <string_view>

#include "graph/ir/graph.h"

namespace culprit::graph::inputs {

/// The actual arguments of one call, by name.
class CallArguments {
 public:
  CallArguments(const Node& node, const torch::jit::Stack& stack) : node_(node), stack_(stack) {}

  size_t PositionOf(std::string_view name) const {
    const auto& formals = node_.op->schema().arguments();
    return std::find_if(formals.begin(), formals.end(),
                        [&](const auto& formal) { return formal.name() == name; }) -
           formals.begin();
  }
  bool has(std::string_view name) const { return PositionOf(name) < node_.arguments.size(); }
  /// As it is written in the graph.
  const Argument& written(std::string_view name) const { return node_.arguments[PositionOf(name)]; }
  const c10::IValue& operator[](std::string_view name) const {
    return stack_[stack_.size() - node_.arguments.size() + PositionOf(name)];
  }
  at::Tensor tensor(std::string_view name) const { return (*this)[name].toTensor(); }

 private:
  const Node& node_;
  const torch::jit::Stack& stack_;
};

}  // namespace culprit::graph::inputs
