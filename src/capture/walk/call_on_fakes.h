// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/fake/mode.h"
#include "graph/fake/silence.h"
#include "graph/operators/operator.h"

namespace culprit::capture {

/// The results of the operator, as fakes.
inline torch::jit::Stack CallOnFakes(graph::fake::World& world, const graph::Operator& op,
                                     torch::jit::Stack arguments) {
  const graph::fake::Mode mode(world);
  const graph::fake::Silence silence;
  op.Call(arguments);
  return arguments;
}

}  // namespace culprit::capture
