// SPDX-License-Identifier: Apache-2.0
//
// How a graph's outputs are had from what its functional form returns, so that they share memory as they did:
//
//   return relu                   kForward    what the forward graph returns
//   return x                      kInput      the input itself, in which writes have arrived
//   return x.view(-1)             kReplayed   made again from the input, behind the writes
//   return relu.t()               kReplayed   relu is computed, and its view is made again
//
// Views are made again by the graph's own operators, so that they are views for autograd, too. Gradients that
// reach them do not go through those operators, though, but into the graph's own backward: what the graph
// itself adds to them there it adds in the order that it has, and sums are the same to the last bit. Only who
// writes into such a view, or into what it is a view of, gives it a new history.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::autograd {

struct OutputSource {
  enum class Kind : uint8_t { kForward, kInput, kReplayed, kConstant };
  Kind kind = Kind::kConstant;
  /// Of the output of the forward graph, the input, or the output of the replay.
  size_t index = 0;
  c10::IValue constant = {};
};

struct OutputPlan {
  std::vector<OutputSource> outputs;
  /// Takes all inputs of the graph and then all outputs of its forward graph. Has no nodes if nothing is
  /// replayed.
  graph::Graph replay;
  /// The values of the graph that its forward graph has to return, in this order.
  std::vector<graph::ValueId> forward;
  /// Of those: whether it is no output itself, only what views are made of.
  std::vector<bool> is_hidden;
  /// The values of the graph that are replayed, each tensor once, by the output of the replay.
  std::vector<graph::ValueId> replayed;
};

/// `fakes` has what each value of the graph was in a run on fakes.
OutputPlan PlanOutputs(const graph::Graph& graph, const std::vector<c10::IValue>& fakes);

}  // namespace culprit::autograd
