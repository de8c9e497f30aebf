// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/comparable_graph.h"

#include <limits>
#include <map>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"

namespace culprit::tests {
namespace {

using graph::Argument;

/// Which of their arguments it is.
const std::map<std::string_view, size_t>& OperatorsWithTwoAnswers() {
  static const auto& operators = *new std::map<std::string_view, size_t>{
      {"aten::elu_backward", 5},      {"aten::hardshrink_backward", 1}, {"aten::hardswish_backward", 1},
      {"aten::hardtanh_backward", 1}, {"aten::softshrink_backward", 1},
  };
  return operators;
}

Argument Number(double number) {
  return Argument(c10::IValue(number));
}

Argument WithoutNan(graph::Graph& graph, Argument tensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  graph::FreshNames names(graph);
  return graph
      .AddNode(graph::Operator::Get("aten::nan_to_num"),
               {std::move(tensor), Number(0), Number(kInfinity), Number(-kInfinity)},
               {names.Get("without_nan")})
      .results[0];
}

}  // namespace

RandomGraph MakeComparableGraph(uint64_t seed) {
  RandomGraph random = MakeRandomGraph(seed);
  graph::Rebuild rebuild(random.graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const graph::Node& node : random.graph.nodes()) {
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments) arguments.push_back(rebuild.Map(argument));
    const auto found = OperatorsWithTwoAnswers().find(node.op->name());
    if (found != OperatorsWithTwoAnswers().end())
      arguments[found->second] = WithoutNan(rebuild.graph(), std::move(arguments[found->second]));
    rebuild.CopyNode(node, std::move(arguments));
  }
  rebuild.CopyOutputs();
  random.graph = std::move(rebuild).Take();
  return random;
}

}  // namespace culprit::tests
