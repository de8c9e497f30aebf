// SPDX-License-Identifier: Apache-2.0
//
// What the functions of libtorch's autograd send along an edge, before it is added up: an input that several
// operators use gets a gradient from each.
#pragma once

#include <torch/csrc/autograd/function.h>

#include <functional>

namespace culprit::autograd {

/// Hears the position among the edges, and what has arrived there, in the order in which autograd adds it up.
using ArrivalListener = std::function<void(size_t edge, const at::Tensor& gradient)>;

/// Hooks all functions behind the roots that send something to one of the edges, for as long as they live.
void ListenAt(const torch::autograd::edge_list& edges, const torch::autograd::edge_list& roots,
              const ArrivalListener& listener);

}  // namespace culprit::autograd
