// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/raise/raise_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::backends::torchscript {
namespace {

using graph::Argument;
using graph::Node;
using graph::Operator;
using Raised = std::optional<RaisedCall>;

bool Is(const Argument& argument, const c10::IValue& constant) {
  return argument == Argument(constant);
}

Raised Call(const char* op, std::vector<Argument> arguments) {
  return RaisedCall{&Operator::Get(op), std::move(arguments)};
}

/// `[1]` stands for `[1, 1]`.
std::optional<Argument> Repeated(const Argument& list, size_t length) {
  if (list.list().size() == length) return list;
  if (list.list().size() != 1) return std::nullopt;
  return Argument(Argument::List(length, list.list()[0]));
}

/// The spatial dimensions of a convolution, if its arguments tell.
std::optional<size_t> SpatialDimensions(const RaiseContext& context, const Node& node) {
  size_t longest = 0;
  for (const size_t list : {3, 4, 5, 7}) longest = std::max(longest, node.arguments[list].list().size());
  if (longest > 1) return longest;
  const std::optional<int64_t> rank = context.RankOf(node.arguments[1]);
  return rank && *rank > 2 ? std::optional<size_t>(*rank - 2) : std::nullopt;
}

Raised Convolution(const RaiseContext& context, const Node& node) {
  const std::optional<size_t> dimensions = SpatialDimensions(context, node);
  if (!dimensions || *dimensions > 3) return std::nullopt;
  std::vector<Argument> lists;
  for (const size_t list : {3, 4, 5, 7}) {
    const std::optional<Argument> repeated = Repeated(node.arguments[list], *dimensions);
    if (!repeated) return std::nullopt;
    lists.push_back(*repeated);
  }
  const Argument& stride = lists[0];
  const Argument& padding = lists[1];
  const Argument& dilation = lists[2];
  const Argument& output_padding = lists[3];
  const Argument& groups = node.arguments[8];
  std::vector<Argument> arguments(node.arguments.begin(), node.arguments.begin() + 3);
  if (Is(node.arguments[6], false)) {
    static constexpr const char* kNames[] = {"aten::conv1d", "aten::conv2d", "aten::conv3d"};
    arguments.insert(arguments.end(), {stride, padding, dilation, groups});
    return Call(kNames[*dimensions - 1], std::move(arguments));
  }
  if (!Is(node.arguments[6], true)) return std::nullopt;
  static constexpr const char* kNames[] = {"aten::conv_transpose1d", "aten::conv_transpose2d.input",
                                           "aten::conv_transpose3d.input"};
  arguments.insert(arguments.end(), {stride, padding, output_padding, groups, dilation});
  return Call(kNames[*dimensions - 1], std::move(arguments));
}

Raised BatchNorm(const RaiseContext& /*context*/, const Node& node) {
  const bool has_statistics = !node.arguments[3].is_none() && !node.arguments[4].is_none();
  if (!Is(node.arguments[5], false) || !has_statistics) return std::nullopt;
  std::vector<Argument> arguments = node.arguments;
  arguments.emplace_back(c10::IValue(true));  // cudnn_enabled
  return Call("aten::batch_norm", std::move(arguments));
}

Raised LinearWithBias(const RaiseContext& context, const Node& node) {
  const std::optional<graph::ValueId> weight = context.TransposedWeight(node.arguments[2]);
  const bool is_plain_sum = Is(node.arguments[3], int64_t{1}) && Is(node.arguments[4], int64_t{1});
  const Argument& bias = node.arguments[0];
  if (!weight || !is_plain_sum || !bias.is_value() || context.RankOf(bias).value_or(1) != 1)
    return std::nullopt;
  return Call("aten::linear", {node.arguments[1], *weight, bias});
}

Raised Linear(const RaiseContext& context, const Node& node) {
  const std::optional<graph::ValueId> weight = context.TransposedWeight(node.arguments[1]);
  if (!weight) return std::nullopt;
  return Call("aten::linear", {node.arguments[0], *weight, Argument()});
}

Raised Softmax(const RaiseContext& /*context*/, const Node& node) {
  if (!Is(node.arguments[2], false)) return std::nullopt;
  return Call("aten::softmax.int", {node.arguments[0], node.arguments[1], Argument()});
}

Raised LogSoftmax(const RaiseContext& /*context*/, const Node& node) {
  if (!Is(node.arguments[2], false)) return std::nullopt;
  return Call("aten::log_softmax.int", {node.arguments[0], node.arguments[1], Argument()});
}

Raised LayerNorm(const RaiseContext& /*context*/, const Node& node) {
  std::vector<Argument> arguments = node.arguments;
  arguments.emplace_back(c10::IValue(true));  // cudnn_enable
  return Call("aten::layer_norm", std::move(arguments));
}

Raised MaxPool2d(const RaiseContext& /*context*/, const Node& node) {
  return Call("aten::max_pool2d", node.arguments);
}

Raised MaxPool3d(const RaiseContext& /*context*/, const Node& node) {
  return Call("aten::max_pool3d", node.arguments);
}

// For one element per plane, adaptive_avg_pool2d takes the mean, which rounds differently.
Raised AdaptiveAvgPool2d(const RaiseContext& /*context*/, const Node& node) {
  const auto is_known = [](const Argument& size) { return size.is_constant(); };
  const bool known = std::ranges::all_of(node.arguments[1].list(), is_known);
  if (!known || node.arguments[1] == Argument::Ints({1, 1})) return std::nullopt;
  return Call("aten::adaptive_avg_pool2d", node.arguments);
}

constexpr RaiseRow kTable[] = {
    {"raise_convolution", "convolution to conv1d, conv2d, conv3d and conv_transpose", "aten::convolution",
     Convolution},
    {"raise_batch_norm", "native_batch_norm to batch_norm, for inference", "aten::native_batch_norm",
     BatchNorm},
    {"raise_addmm", "addmm with a transposed weight to linear", "aten::addmm", LinearWithBias},
    {"raise_mm", "mm with a transposed weight to linear", "aten::mm", Linear},
    {"raise_layer_norm", "native_layer_norm to layer_norm", "aten::native_layer_norm", LayerNorm},
    {"raise_softmax", "_softmax to softmax", "aten::_softmax", Softmax},
    {"raise_log_softmax", "_log_softmax to log_softmax", "aten::_log_softmax", LogSoftmax},
    {"raise_max_pool2d", "max_pool2d_with_indices to max_pool2d", "aten::max_pool2d_with_indices", MaxPool2d},
    {"raise_max_pool3d", "max_pool3d_with_indices to max_pool3d", "aten::max_pool3d_with_indices", MaxPool3d},
    {"raise_adaptive_avg_pool2d", "_adaptive_avg_pool2d to adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d",
     AdaptiveAvgPool2d},
};

}  // namespace

std::span<const RaiseRow> RaiseTable() {
  return kTable;
}

}  // namespace culprit::backends::torchscript
