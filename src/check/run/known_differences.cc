// SPDX-License-Identifier: Apache-2.0
#include "check/run/known_differences.h"

#include <cmath>
#include <set>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"

namespace culprit::check {
namespace {

using graph::Argument;
using graph::Node;

/// Eager computes it by sqrt and rsqrt, which keep the sign of zero; a power has none.
bool IsPowerOfOneHalf(const Node& node) {
  if (node.op->name() != "aten::pow" || node.arguments.size() < 2) return false;
  const Argument& exponent = node.arguments[1];
  if (exponent.is_value() || exponent.is_list() || !exponent.constant().isDouble()) return false;
  return std::abs(exponent.constant().toDouble()) == 0.5;
}

/// Turns -0.0 into 0.0 and leaves all others as they are.
Argument PositiveZero(const graph::Graph& graph, const Node& node, graph::FreshNames& names,
                      graph::Rebuild& rebuild) {
  const std::string& name = graph.value(node.results[0]).name;
  return rebuild.graph()
      .AddNode(graph::Operator::Get("aten::add.Scalar"),
               {rebuild.Map(node.arguments[0]), Argument(c10::IValue(0.0)), Argument(c10::IValue(1))},
               {names.Derive(name)}, node.model_line)
      .results[0];
}

struct Row {
  std::string_view backend;
  bool (*is_about)(const Node&);
  /// What the first argument becomes.
  Argument (*first_argument)(const graph::Graph&, const Node&, graph::FreshNames&, graph::Rebuild&);
  const char* line;
};
constexpr Row kRows[] = {
    {"inductor", IsPowerOfOneHalf, PositiveZero,
     "known difference: aten::pow of -0.0 with the exponent 0.5 or -0.5 has a sign in eager and none in "
     "Inductor, which PyTorch holds to be right (pytorch#127163)"},
};

const Row* RowAbout(std::string_view backend, const Node& node) {
  for (const Row& row : kRows) {
    if (row.backend == backend && row.is_about(node)) return &row;
  }
  return nullptr;
}

}  // namespace

std::optional<KnownDifferences> FindKnownDifferences(std::string_view backend, const graph::Graph& graph) {
  graph::Rebuild rebuild(graph);
  graph::FreshNames names(graph);
  std::set<std::string> lines;
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const Node& node : graph.nodes()) {
    const Row* row = RowAbout(backend, node);
    if (row == nullptr) {
      rebuild.CopyNode(node);
      continue;
    }
    lines.insert(row->line);
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments) arguments.push_back(rebuild.Map(argument));
    arguments[0] = row->first_argument(graph, node, names, rebuild);
    rebuild.CopyNode(node, std::move(arguments));
  }
  if (lines.empty()) return std::nullopt;
  rebuild.CopyOutputs();
  return KnownDifferences{std::move(rebuild).Take(), {lines.begin(), lines.end()}};
}

}  // namespace culprit::check
