// SPDX-License-Identifier: Apache-2.0
//
// Extraction: the graph that computes just a set K of nodes, with the inputs it needs.
//
//   a = sin(x)                      forward(a, c):
//   b = neg(a)     K = {b, d}         b = neg(a)
//   c = exp(b)         =>             d = add(b, c)
//   d = add(b, c)                     return (b, d)
//   return (d,)
//
// Operands made outside K become placeholders; results that something outside K uses, or nothing at all,
// become outputs. Names are kept. Chains of views inside K stay chains.
//
// Memory. A value that K reads is found in one of two ways: it is still in the new graph, because a node of K
// made it or an earlier read fed it, and nobody outside K has written into its memory since; or it is fed,
// with its contents at that moment. Placeholders that are fed from the same memory between two such outside
// writes share one storage, so what K writes through one of them is seen through the others:
//
//   v = view(x)                       forward(x, v):  two placeholders on one storage
//   w = add_(x, 1)    K = {w, y}        w = add_(x, 1)
//   y = relu(v)           =>            y = relu(v)   sees the addition
//
// One relation cannot be kept: a view made outside K of memory made inside K. It is fed as a copy, unless K
// writes into that memory while the copy is in use; then the cut is refused.
//
// Random operators in K draw anew; hoist them first (graph/passes/hoist_random.h) where that matters.
#pragma once

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/run/recording.h"

namespace culprit::graph {

/// What an output of the new graph was in the recorded run.
struct ExtractedOutput {
  ValueId source;
  /// Which element, if the source is a list.
  uint32_t item = 0;
  /// Outputs leave the new graph as its last node has left them: as the source was at this moment.
  Moment as_of = 0;
};

struct Extraction {
  Graph graph;
  /// One per placeholder. They share memory with the recording and are not for writing.
  std::vector<c10::IValue> inputs;
  std::vector<ExtractedOutput> outputs;

  /// Inputs that a run may write into; placeholders that shared memory share it again.
  std::vector<c10::IValue> CopyInputs() const { return CopyAll(inputs); }
};

/// Original placeholders keep their kind and come first, in their order; the others follow by first use.
/// Tensor constants stay constants unless K writes into them; then they are buffers. Undefined tensors become
/// None, lists become their elements. Refused with a reason if the cut cannot be made.
base::Result<Extraction> Extract(const Graph& graph, const std::vector<NodeId>& keep,
                                 const Recording& recording);

}  // namespace culprit::graph
