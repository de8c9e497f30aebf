// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph on fakes, forward under autograd and then backward, and writes down what happens below
// autograd: the joint graph (joint.h), and how the graph's outputs and writes are had from it.
//
//   y = x * w; x.add_(1); return y, x      forward outputs: y, what x becomes
//                                          tangents: of both that require a gradient
#pragma once

#include <ATen/core/ivalue.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "autograd/functional/memory.h"
#include "autograd/joint/joint.h"
#include "autograd/trace/output_plan.h"
#include "graph/sizes/expressions/layout.h"

namespace culprit::autograd {

/// An input that the graph writes into.
struct Mutation {
  enum class Kind : uint8_t {
    /// As batch_norm does, which no version tells.
    kSilent,
    /// Through a tensor without history, as x.detach(): it has a new version, and the same history.
    kWithoutHistory,
    kOpen
  };
  size_t input = 0;
  /// What it becomes, among the outputs of the forward graph.
  size_t output = 0;
  Kind kind = Kind::kOpen;
  bool operator==(const Mutation&) const = default;
};

struct Traced {
  Joint joint;
  OutputPlan plan;
  std::vector<Mutation> mutations;
  /// The outputs of the forward graph that have gradients, in the order of the tangents.
  std::vector<size_t> differentiable;
  /// The outputs of the replay that have gradients; their tangents follow.
  std::vector<size_t> differentiable_views;
  /// The input of each gradient. An input that several operators use has several: autograd adds them up, in
  /// this order, to what comes from elsewhere.
  std::vector<size_t> gradients;
  /// Lies as each tangent does. Those of what is no output, only what views are made of, are undefined unless
  /// they were asked for: gradients reach it when somebody has written into a view.
  std::vector<at::Tensor> tangents;
  /// Calls of contiguous in the graph that have made a copy (autograd/trace/contiguous_copies.h).
  std::set<graph::NodeId> copies;
  /// Operators that were computed on zeros, for want of a better rule.
  std::map<std::string, int64_t> fallbacks;
};

/// One per tangent: how it lies in memory, or nothing if nobody has it.
using TangentLayouts = std::vector<std::optional<graph::sizes::Layout>>;

/// Inputs may be fake; of real ones the numbers are not looked at. Under the current modes: without grad
/// mode, or if no input requires a gradient, there are no tangents. Without `tangents` they lie as the
/// outputs do. Throws Untraceable, and what operators and autograd throw.
Traced Trace(const graph::Graph& graph, const std::vector<c10::IValue>& inputs,
             const std::optional<TangentLayouts>& tangents = std::nullopt);

}  // namespace culprit::autograd
