// SPDX-License-Identifier: Apache-2.0
//
// Tensors, constants and graphs as a plug-in sees them: structs of include/culprit/backend.h that point into
// memory that is kept here. A view shares the data of tensors; whoever makes one keeps them alive.
#pragma once

#include <ATen/core/ivalue.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "culprit/backend.h"
#include "graph/ir/graph.h"

namespace culprit::backends::plugin {

/// Views of values that come and go together. Addresses are stable, moves included.
class Views {
 public:
  /// Throws, naming `what`, on a tensor that is no plain memory: sparse, quantised, lazily conjugated or
  /// negated.
  const CulpritTensor* Tensor(const at::Tensor& tensor, at::Device device, bool with_data,
                              std::string_view what);
  /// A value at run time, as in an input.
  CulpritArgument Value(const c10::IValue& value, bool with_data, std::string_view what);
  /// A constant of the graph in a slot of this kind; the kind tells dtypes from numbers.
  CulpritArgument Constant(const c10::IValue& constant, graph::SlotKind slot);
  CulpritArgument List(std::vector<CulpritArgument> elements);
  const char* Text(std::string text);

 private:
  struct TensorMemory {
    CulpritTensor view;
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
  };
  std::deque<TensorMemory> tensors_;
  std::deque<std::string> texts_;
  std::deque<std::vector<CulpritArgument>> lists_;
};

/// The graph has to stay where it is.
class GraphView {
 public:
  explicit GraphView(const graph::Graph& graph);
  GraphView(const GraphView&) = delete;
  GraphView& operator=(const GraphView&) = delete;

  const CulpritGraph& view() const { return view_; }

 private:
  struct NodeMemory {
    CulpritNode view;
    std::vector<CulpritArgument> arguments;
    std::vector<const char*> argument_names;
    std::vector<uint32_t> results;
  };

  void AddValue(const graph::Value& value);
  void AddPlaceholder(const graph::Placeholder& placeholder);
  void AddNode(const graph::Node& node);
  CulpritArgument Argument(const graph::Argument& argument, const graph::Slot& slot);

  const graph::Graph& graph_;
  Views views_;
  std::deque<CulpritValue> value_memory_;
  std::deque<NodeMemory> node_memory_;
  std::vector<const CulpritValue*> values_;
  std::vector<uint32_t> placeholders_;
  std::deque<std::vector<const char*>> symbol_memory_;
  std::vector<const char* const*> symbols_;
  std::vector<const CulpritNode*> nodes_;
  std::vector<CulpritArgument> outputs_;
  CulpritGraph view_;
};

}  // namespace culprit::backends::plugin
