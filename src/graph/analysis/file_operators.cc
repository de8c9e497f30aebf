// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/file_operators.h"

#include <algorithm>
#include <string_view>

namespace culprit::graph {
namespace {

/// Of all operators of libtorch's dispatcher; those of TorchScript, such as aten::save, are no operators of a
/// graph.
constexpr std::string_view kFileOperators[] = {"aten::from_file"};

}  // namespace

std::optional<NodeId> FirstFileOperator(const Graph& graph) {
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    if (std::ranges::count(kFileOperators, graph.nodes()[i].op->name()) > 0) return NodeId(i);
  }
  return std::nullopt;
}

}  // namespace culprit::graph
