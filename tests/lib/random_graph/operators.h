// SPDX-License-Identifier: Apache-2.0
//
// The tables of operators. A row names an operator and the rule that adds a call of it; a rule returns
// whether it did. Most operators share a general rule:
//
//   Broadcast<dtypes>   tensors that broadcast together; numbers where Python allows them
//   Matching<dtypes>    tensors of the same dtype and sizes, as backward kernels want them
//   One<dtypes, ranks>  one tensor; everything else are attributes
//
// To add an operator, add a row; attributes are found by name (attributes.h).
#pragma once

#include <span>

#include "tests/lib/random_graph/graph_maker.h"

namespace culprit::tests {

struct OperatorRow {
  const char* name;
  bool (*add)(GraphMaker& maker, const graph::Operator& op);
};

std::span<const OperatorRow> PointwiseOperators();
std::span<const OperatorRow> ReductionOperators();
std::span<const OperatorRow> ViewOperators();
std::span<const OperatorRow> RearrangingOperators();
std::span<const OperatorRow> IndexingOperators();
std::span<const OperatorRow> MatrixOperators();
std::span<const OperatorRow> NeuralOperators();
std::span<const OperatorRow> BackwardOperators();
std::span<const OperatorRow> FactoryOperators();
std::span<const OperatorRow> WritingOperators();

/// The general rules with their parameters at run time.
bool AddBroadcast(GraphMaker& maker, const graph::Operator& op, Dtypes dtypes);
bool AddMatching(GraphMaker& maker, const graph::Operator& op, Dtypes dtypes);
bool AddOne(GraphMaker& maker, const graph::Operator& op, Dtypes dtypes, int64_t lowest_rank,
            int64_t highest_rank);

template <Dtypes dtypes>
bool Broadcast(GraphMaker& maker, const graph::Operator& op) {
  return AddBroadcast(maker, op, dtypes);
}
template <Dtypes dtypes>
bool Matching(GraphMaker& maker, const graph::Operator& op) {
  return AddMatching(maker, op, dtypes);
}
template <Dtypes dtypes, int64_t lowest_rank = 0, int64_t highest_rank = 5>
bool One(GraphMaker& maker, const graph::Operator& op) {
  return AddOne(maker, op, dtypes, lowest_rank, highest_rank);
}

}  // namespace culprit::tests
