// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph.h"

#include "graph/ir/rebuild.h"
#include "tests/lib/random_graph/graph_maker.h"
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

// More of what real graphs have more of.
struct Family {
  std::span<const OperatorRow> (*rows)();
  int weight;
};
constexpr Family kFamilies[] = {
    {PointwiseOperators, 30}, {ReductionOperators, 12}, {ViewOperators, 13},  {RearrangingOperators, 10},
    {IndexingOperators, 7},   {MatrixOperators, 6},     {NeuralOperators, 7}, {BackwardOperators, 8},
    {FactoryOperators, 8},    {WritingOperators, 4},
};
constexpr int kSizesWeight = 8;

bool AddSomething(GraphMaker& maker) {
  int64_t total = kSizesWeight;
  for (const Family& family : kFamilies) total += family.weight;
  int64_t left = maker.Between(1, total) - kSizesWeight;
  if (left <= 0) return maker.CallOnSizes();
  for (const Family& family : kFamilies) {
    left -= family.weight;
    if (left > 0) continue;
    const auto rows = family.rows();
    const OperatorRow& row = rows[maker.Between(0, static_cast<int64_t>(rows.size()) - 1)];
    return row.add(maker, graph::Operator::Get(row.name));
  }
  return false;
}

// Inputs first, then constants, then calls: the order in which a text would define them.
graph::Graph InOrder(const graph::Graph& graph) {
  graph::Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  return std::move(rebuild).Take();
}

}  // namespace

RandomGraph MakeRandomGraph(uint64_t seed, int calls) {
  GraphMaker maker(seed);
  int added = 0;
  for (int tries = 0; added < calls && tries < 20 * calls; ++tries) added += AddSomething(maker) ? 1 : 0;
  maker.ChooseOutputs();
  return {InOrder(maker.graph()), maker.inputs()};
}

std::vector<std::string_view> RandomGraphOperators() {
  std::vector<std::string_view> names;
  for (const Family& family : kFamilies) {
    for (const OperatorRow& row : family.rows()) names.push_back(row.name);
  }
  return names;
}

}  // namespace culprit::tests
