// SPDX-License-Identifier: Apache-2.0
//
// How an operator is computed on fake tensors, decided from its name, its schema and its kernels:
//
//   nonzero             kRefuse      its result depends on data
//   linear, batch_norm  kDecompose   made of other operators, which are then computed on the fakes one by one
//   add, convolution    kMeta        the Meta kernel computes on twins of the fakes
//   histc               kZeros       has no Meta kernel: the real one computes on zeros
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/SmallVector.h>

namespace culprit::graph::fake {

enum class CallRoute { kRefuse, kDecompose, kMeta, kZeros };

struct CallPlan {
  CallRoute route = CallRoute::kMeta;
  /// Whether data_dependent.h has to be asked about the arguments of each call.
  bool asks_arguments = false;
  /// A result is no tensor: running on zeros would invent it.
  bool returns_values = false;
  /// Positions of arguments that say where results are, and of those that are written into.
  c10::SmallVector<uint8_t, 2> devices;
  c10::SmallVector<uint8_t, 2> written;
};

CallPlan PlanFor(const c10::OperatorHandle& op);

}  // namespace culprit::graph::fake
