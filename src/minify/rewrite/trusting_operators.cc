// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/trusting_operators.h"

#include <algorithm>
#include <string_view>

namespace culprit::minify {
namespace {

/// Backward operators that check their arguments: pointwise ones, and some that compare sizes.
constexpr std::string_view kCareful[] = {
    "aten::threshold_backward",  "aten::tanh_backward",        "aten::sigmoid_backward",
    "aten::gelu_backward",       "aten::hardswish_backward",   "aten::hardtanh_backward",
    "aten::silu_backward",       "aten::elu_backward",         "aten::leaky_relu_backward",
    "aten::mish_backward",       "aten::hardsigmoid_backward", "aten::softplus_backward",
    "aten::logit_backward",      "aten::convolution_backward", "aten::_softmax_backward_data",
    "aten::softshrink_backward", "aten::hardshrink_backward",  "aten::_log_softmax_backward_data"};

bool Trusts(const graph::Operator& op) {
  return op.name().find("_backward") != std::string::npos && std::ranges::count(kCareful, op.name()) == 0;
}

}  // namespace

bool HasTrustingOperator(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const graph::Node& node) { return Trusts(*node.op); });
}

}  // namespace culprit::minify
