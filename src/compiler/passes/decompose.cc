// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/decompose.h"

#include <algorithm>

#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {
namespace {

using graph::NodeId;

struct Finder {
  std::string_view op;
  std::string_view row;
  FindRewrite find;
};

constexpr DecomposeRow kRows[] = {
    {"split", "parts of split, split_with_sizes and unbind that are picked one by one become slices"},
    {"batch_norm", "running statistics that training writes into copies become results"},
};

constexpr Finder kFinders[] = {
    {"aten::split.Tensor", "split", RewriteSplit},
    {"aten::split_with_sizes", "split", RewriteSplit},
    {"aten::unsafe_split.Tensor", "split", RewriteSplit},
    {"aten::unsafe_split_with_sizes", "split", RewriteSplit},
    {"aten::unbind.int", "split", RewriteSplit},
    {"aten::native_batch_norm", "batch_norm", RewriteBatchNorm},
};

}  // namespace

std::span<const DecomposeRow> DecomposeRows() {
  return kRows;
}

graph::Graph Decompose(const graph::Graph& graph, const std::function<bool(std::string_view row)>& applies) {
  Rewriter rewriter(graph);
  std::vector<std::optional<Rewrite>> rewrites(graph.nodes().size());
  std::vector<bool> is_left_out(graph.nodes().size());
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const auto found = std::ranges::find(kFinders, graph.nodes()[i].op->qualified_name(), &Finder::op);
    if (found == std::end(kFinders)) continue;
    auto rewrite = found->find(rewriter, NodeId{i});
    if (!rewrite || !applies(found->row)) continue;
    for (const NodeId other : rewrite->left_out) is_left_out[Index(other)] = true;
    rewrites[i] = std::move(rewrite);
  }
  rewriter.rebuild().CopyPlaceholders();
  rewriter.rebuild().CopyConstants();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (rewrites[i])
      rewrites[i]->run(rewriter);
    else if (!is_left_out[i])
      rewriter.rebuild().CopyNode(graph.nodes()[i]);
  }
  rewriter.rebuild().CopyOutputs();
  return std::move(rewriter.rebuild()).Take();
}

}  // namespace culprit::compiler::passes
