// SPDX-License-Identifier: Apache-2.0
//
// Cuts a joint graph into the two that run at different times:
//
//   forward(x, w, tangent_0)            forward(x, w)             backward(w, exp, tangent_0)
//     exp = exp(x)                        exp = exp(x)              t = t(w)
//     t = t(w)                            t = t(w)                  mm_1 = mm(tangent_0, t)
//     mm = mm(exp, t)              =>     mm = mm(exp, t)           mul = mul(mm_1, exp)
//     mm_1 = mm(tangent_0, t)             return (mm, exp)          return (mul, None)
//     mul = mul(mm_1, exp)
//   return (mm, mul, None)              saved: w (parameter), exp (intermediate)
//
// Forward returns what the captured graph returns, then the saved intermediates; one of these may be an
// output too. Backward takes the saved values in their order, then the tangents, and returns the gradients.
// What it needs beyond that it recomputes, just before the first use. A joint graph need not be simplified
// before; dead code is left out. Names, placeholder kinds and model lines are kept, and tensor constants go
// where they are used.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/joint/joint.h"
#include "autograd/partition/saved_values.h"
#include "graph/ir/graph.h"

namespace culprit::autograd {

struct SavedValue {
  std::string name;
  graph::ValueKind kind = graph::ValueKind::kTensor;
  /// Which placeholder of the captured graph it is; otherwise which of forward's additional outputs.
  std::optional<size_t> placeholder;
  std::optional<size_t> additional_output;
  int64_t bytes = 0;
  /// "input", "parameter", "buffer" or "intermediate".
  std::string_view why;
};

struct Partition {
  /// Named as the captured graph, with "forward" and "backward" in place of "captured".
  graph::Graph forward;
  graph::Graph backward;
  /// Those of the captured graph; the additional ones follow.
  size_t forward_outputs = 0;
  /// Placeholders first, then intermediates, each in order of definition.
  std::vector<SavedValue> saved;
};

struct PartitionMode {
  std::string_view name;
  std::string_view summary;
  std::vector<graph::ValueId> (*choose)(const Joint&, const std::vector<Recompute>&);
};

inline constexpr std::array<PartitionMode, 2> kPartitionModes = {{
    {"default", "saves what autograd would save", SaveAsAutogradDoes},
    {"min-cut", "saves the fewest bytes and recomputes what is cheap", SaveByMinCut},
}};

/// Null if there is none of this name.
const PartitionMode* FindPartitionMode(std::string_view name);

Partition Split(const Joint& joint, const PartitionMode& mode);

/// The backward graph that takes exactly these saved values, which another joint graph with the same forward
/// had: values with the same name are the same. Nothing if something is needed that cannot be recomputed from
/// them (autograd/joint/recompute.h).
std::optional<graph::Graph> BackwardFrom(const Joint& joint, const std::vector<SavedValue>& saved);

/// What is alive because of backward alone: parameters and buffers are held by their module.
int64_t SavedBytes(const Partition& partition);

/// One line per saved value, with its bytes, and the totals.
std::string Describe(const Partition& partition);

}  // namespace culprit::autograd
