// SPDX-License-Identifier: Apache-2.0
//
// Small graphs for tests, written like the calls they consist of:
//
//   TestGraph g;
//   const ValueId x = g.Placeholder("x");
//   const ValueId y = g.Call("aten::sum.dim_IntList", {x, {0, 1}}, {{"keepdim", true}});
//   g.Return({y});
//   Use(g.graph());
//
// Results are named after their operator, as PyTorch names them: sum, sum_1, sum_2 ..., but max_1, max_2 ...,
// since max is no valid name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/ir/bind.h"
#include "graph/ir/graph.h"
#include "graph/ir/verify.h"

namespace culprit::tests {

/// What a call in a test may be written with: values, numbers, strings, devices, None, lists of these.
struct Written {
  Written(graph::ValueId value) : argument(value) {}          // NOLINT: meant to be implicit
  Written(graph::Argument any) : argument(std::move(any)) {}  // NOLINT
  Written(int number) : argument(c10::IValue(static_cast<int64_t>(number))) {}  // NOLINT
  Written(int64_t number) : argument(c10::IValue(number)) {}                    // NOLINT
  Written(double number) : argument(c10::IValue(number)) {}                     // NOLINT
  Written(bool truth) : argument(c10::IValue(truth)) {}                         // NOLINT
  Written(const char* text) : argument(c10::IValue(std::string(text))) {}       // NOLINT
  Written(at::ScalarType dtype) : Written(static_cast<int64_t>(dtype)) {}       // NOLINT
  Written(at::MemoryFormat format) : Written(static_cast<int64_t>(format)) {}   // NOLINT
  Written(c10::Device device) : argument(c10::IValue(device)) {}                // NOLINT
  Written(std::nullptr_t) {}                                                    // NOLINT: None
  Written(std::initializer_list<Written> list) : argument(AsList(list)) {}      // NOLINT

  static graph::Argument::List AsList(std::initializer_list<Written> list) {
    graph::Argument::List arguments;
    for (const Written& element : list) arguments.push_back(element.argument);
    return arguments;
  }

  graph::Argument argument;
};

class TestGraph {
 public:
  graph::ValueId Placeholder(std::string name, graph::PlaceholderKind kind = graph::PlaceholderKind::kInput,
                             graph::ValueKind value_kind = graph::ValueKind::kTensor) {
    return graph_.AddPlaceholder(std::move(name), kind, value_kind);
  }
  graph::ValueId Constant(std::string name, at::Tensor tensor) {
    return graph_.AddConstant(std::move(name), std::move(tensor));
  }

  /// Calls "aten::add.Tensor"; returns all results. An error of binding is a bug of the test and throws.
  std::vector<graph::ValueId> CallAll(std::string_view op_name, std::initializer_list<Written> positional,
                                      std::initializer_list<std::pair<const char*, Written>> keyword = {}) {
    const graph::Operator& op = graph::Operator::Get(op_name);
    graph::WrittenArguments written{Written::AsList(positional), {}};
    for (const auto& [name, value] : keyword) written.keyword.emplace_back(name, value.argument);
    auto bound = graph::BindArguments(graph_, op, std::move(written));
    std::vector<std::string> names(op.results()->size());
    for (std::string& name : names) name = NextName(op.name().substr(op.name().find("::") + 2));
    return graph_.AddNode(op, *std::move(bound), std::move(names)).results;
  }

  /// As CallAll, for an operator with one result.
  graph::ValueId Call(std::string_view op_name, std::initializer_list<Written> positional,
                      std::initializer_list<std::pair<const char*, Written>> keyword = {}) {
    return CallAll(op_name, positional, keyword).at(0);
  }

  void Return(std::initializer_list<Written> outputs) { graph_.SetOutputs(Written::AsList(outputs)); }

  graph::Graph& graph() { return graph_; }

 private:
  std::string NextName(const std::string& stem) {
    const size_t number = next_number_.try_emplace(stem, graph::IsValidName(stem) ? 0 : 1).first->second++;
    return number == 0 ? stem : stem + "_" + std::to_string(number);
  }

  graph::Graph graph_;
  std::unordered_map<std::string, size_t> next_number_;
};

}  // namespace culprit::tests
