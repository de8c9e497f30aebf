// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/decompose.h"

#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {
namespace {

using graph::NodeId;

struct Finder {
  std::string_view op;
  const DecomposeRow& row;
  FindRewrite find;
};

constexpr size_t kSplit = 0;
constexpr size_t kBatchNorm = 1;
constexpr size_t kFrozenBatchNorm = 2;

constexpr DecomposeRow kRows[] = {
    {"split", "parts of split, split_with_sizes and unbind that are picked one by one become slices"},
    {"batch_norm", "running statistics that training writes into copies become results"},
    {"frozen_batch_norm", "batch norm with frozen parameters becomes part of the convolution before it",
     /*rounds_otherwise=*/true},
};

constexpr Finder kFinders[] = {
    {"aten::split.Tensor", kRows[kSplit], RewriteSplit},
    {"aten::split_with_sizes", kRows[kSplit], RewriteSplit},
    {"aten::unsafe_split.Tensor", kRows[kSplit], RewriteSplit},
    {"aten::unsafe_split_with_sizes", kRows[kSplit], RewriteSplit},
    {"aten::unbind.int", kRows[kSplit], RewriteSplit},
    {"aten::native_batch_norm", kRows[kBatchNorm], RewriteBatchNorm},
    {"aten::native_batch_norm", kRows[kFrozenBatchNorm], RewriteFrozenBatchNorm},
};

/// The first that fits, if it applies.
std::optional<Replacement> FindRewriteOf(const Rewriter& rewriter, NodeId id,
                                         const std::function<bool(const DecomposeRow& row)>& applies) {
  const std::string& op = rewriter.source().node(id).op->qualified_name();
  for (const Finder& finder : kFinders) {
    if (finder.op != op) continue;
    auto rewrite = finder.find(rewriter, id);
    if (rewrite) return applies(finder.row) ? std::move(rewrite) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::span<const DecomposeRow> DecomposeRows() {
  return kRows;
}

graph::Graph Decompose(const graph::Graph& graph,
                       const std::function<bool(const DecomposeRow& row)>& applies) {
  Rewriter rewriter(graph);
  std::vector<std::optional<Replacement>> rewrites(graph.nodes().size());
  std::vector<bool> is_replaced(graph.nodes().size());
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    auto rewrite = FindRewriteOf(rewriter, NodeId{i}, applies);
    if (!rewrite) continue;
    for (const NodeId other : rewrite->replaced) is_replaced[Index(other)] = true;
    rewrites[i] = std::move(rewrite);
  }
  rewriter.rebuild().CopyPlaceholders();
  rewriter.rebuild().CopyConstants();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (rewrites[i])
      rewrites[i]->run(rewriter);
    else if (!is_replaced[i])
      rewriter.rebuild().CopyNode(graph.nodes()[i]);
  }
  rewriter.rebuild().CopyOutputs();
  return std::move(rewriter.rebuild()).Take();
}

}  // namespace culprit::compiler::passes
