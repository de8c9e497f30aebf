// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "autograd/trace/trace_modes.h"
#include "backend/backend.h"

namespace culprit::autograd {

/// All that a trace depends on.
struct InputKind {
  struct Input {
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
    c10::ScalarType dtype = c10::ScalarType::Undefined;
    bool requires_grad = false;
    bool is_leaf = false;
    bool is_view = false;
    bool is_conj = false;
    bool is_neg = false;
    /// The first input on the same memory.
    size_t memory = 0;
    /// Where it lies there: beside the first one, or from the beginning of the memory if that matters.
    int64_t offset = 0;
    /// What is no tensor.
    c10::IValue other;
    bool operator==(const Input& input) const;
  };
  std::vector<Input> inputs;
  TraceModes modes;

  /// `with_offsets`: where inputs lie in their memory matters to the graph, as it does to as_strided.
  static InputKind Of(const backend::Values& inputs, bool with_offsets);
  bool operator==(const InputKind&) const = default;

  /// Whatever the symbols of the graph are: sizes that are symbols have gone, and strides that follow from
  /// sizes.
  InputKind ForAllSizes(const graph::Graph& graph) const;
};

}  // namespace culprit::autograd
