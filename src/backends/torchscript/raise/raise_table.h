// SPDX-License-Identifier: Apache-2.0
//
// TorchScript's optimisers match operators as TorchScript programs write them. Graphs behind autograd consist
// of what these operators call inside, which no pass recognises: such a graph would test nothing. Each row
// raises one such form.
//
//   convolution(x, w, b, ..., transposed=False, ...)   =>   conv2d(x, w, b, ...)       folding, oneDNN
//   native_batch_norm(x, ..., training=False, ...)     =>   batch_norm(x, ...)         folding
//   addmm(b, x, t(w))                                  =>   linear(x, w, b)            merging, packing
//
// A form is raised only if eager computes exactly the same with both, bit for bit, and if nothing uses the
// further results that the raised operator lacks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "backends/torchscript/raise/raise_context.h"
#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

/// The call that replaces a node's; its result is the node's first. Values are those of the old graph.
struct RaisedCall {
  const graph::Operator* op = nullptr;
  std::vector<graph::Argument> arguments;
};

struct RaiseRow {
  /// Of the switch.
  const char* name;
  const char* line;
  /// The operator, "aten::convolution".
  const char* from;
  std::optional<RaisedCall> (*raise)(const RaiseContext& context, const graph::Node& node);
};

std::span<const RaiseRow> RaiseTable();

}  // namespace culprit::backends::torchscript
